/* fetch.c: the bytes of a file that is being fetched, and what follows each request, see fetch.h. */
#include "posix.h"

#if defined(ASSAY_CURL)

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "fetch.h"

int64_t remote_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- The bytes ------------------------------------------------------------------------------------------- */

static uint64_t least(uint64_t left, uint64_t right)
{
    return left < right ? left : right;
}

/* Return how many bytes of a file with a header are needed. The core decides that by the first eight bytes. Of a file
 * that it rejects, REMOTE_KIND_BYTES bytes show what kind of file it is. */
static uint64_t head_needed(const remote_fetch *fetch)
{
    assay_result result;
    uint64_t total = fetch->state.total, start = least(total, sizeof fetch->start);
    if (fetch->stored < start)
        return least(total, REMOTE_FIRST);
    assay_status status = assay_measure(&(assay_input){fetch->start, start, total}, NULL, &result);
    uint64_t head = status == ASSAY_NEED_MORE ? result.need.head : 0;
    return least(total, head > REMOTE_KIND_BYTES ? head : REMOTE_KIND_BYTES);
}

uint64_t fetch_needed(const remote_fetch *fetch)
{
    if (!fetch->has_state)
        return REMOTE_FIRST;
    return fetch->is_index ? fetch->state.total : head_needed(fetch);
}

/* Discard the bytes so far. */
static bool fetch_discard(remote_fetch *fetch)
{
    fetch->stored = 0;
    fetch->has_state = false;
    if (ftruncate(fetch->fd, 0) == 0)
        return true;
    fetch->write_failed = true;
    fetch->error = errno;
    return false;
}

/* Append bytes to the file. */
static bool write_all(remote_fetch *fetch, const char *bytes, size_t count)
{
    for (size_t done = 0; done < count;) {
        ssize_t put = pwrite(fetch->fd, bytes + done, count - done, (off_t)(fetch->stored + done));
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0) {
            fetch->write_failed = true;
            fetch->error = errno;
            return false;
        }
        done += (size_t)put;
    }
    return true;
}

/* Check the complete head of a response: does it announce the bytes that were requested, of the same file? */
static bool check_head(remote_fetch *fetch)
{
    remote_response *response = &fetch->response;
    fetch->checked = true;
    fetch->problem = response_check(response, fetch->from, fetch->to - 1);
    if (fetch->problem != REMOTE_FINE)
        return false;
    if (response->status == 200 && fetch->has_state) {
        fetch->restarts += fetch->from > 0; /* the file changed, or the server ignores ranges: it sends all */
        if (!fetch_discard(fetch))
            return false;
    }
    if (fetch->has_state && fetch->from > 0 && !response_same_state(&fetch->state, &response->state)) {
        fetch->problem = REMOTE_CHANGED;
        return false;
    }
    if (fetch->from == 0 && fetch->stored > 0 && !fetch_discard(fetch))
        return false;
    fetch->state = response->state;
    fetch->has_state = true;
    if (fetch->is_index && fetch->state.total > REMOTE_INDEX_MOST)
        fetch->problem = REMOTE_LARGE;
    return fetch->problem == REMOTE_FINE;
}

bool fetch_receive(remote_fetch *fetch, const char *bytes, size_t count)
{
    const remote_response *response = &fetch->response;
    fetch->received += count;
    if (response->status != 200 && response->status != 206)
        return fetch->received <= REMOTE_IGNORED_MOST;
    if (!fetch->checked && !check_head(fetch))
        return false;
    uint64_t end = response->status == 206 ? response->last + 1 : fetch->state.total;
    if (count > end - fetch->stored) {
        fetch->problem = REMOTE_LENGTH;
        return false;
    }
    if (fetch->stored < sizeof fetch->start)
        memcpy(fetch->start + fetch->stored, bytes, (size_t)least(count, sizeof fetch->start - fetch->stored));
    if (!write_all(fetch, bytes, count))
        return false;
    fetch->stored += count;
    fetch->is_enough = response->status == 200 && fetch->stored >= fetch_needed(fetch);
    return !fetch->is_enough || fetch->stored == end;
}

/* Make the file as long as the one on the server, and immutable if it is in memory. */
static bool fetch_seal(remote_fetch *fetch)
{
    bool fine = ftruncate(fetch->fd, (off_t)fetch->state.total) == 0;
    fetch->error = errno;
#if defined(F_ADD_SEALS)
    /* This fails for a file on a disk. */
    fcntl(fetch->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL);
#endif
    return fine;
}

/* ---- The next step --------------------------------------------------------------------------------------- */

/* Store the problem as it may be reported. Return HOST_REMOTE. */
static host_problem fail(remote_fetch *fetch, const remote_hub *hub, remote_problem problem, uint32_t detail)
{
    fetch->cost.problem = scope_reported(fetch, hub, problem);
    fetch->cost.detail = fetch->cost.problem == problem ? detail : 0;
    return HOST_REMOTE;
}

/* Schedule another request in wait milliseconds, unless the file has cost too many requests or bytes. */
static host_problem request_again(remote_fetch *fetch, const remote_hub *hub, int64_t wait)
{
    if (fetch->cost.requests >= REMOTE_REQUESTS_MOST || fetch->cost.bytes >= REMOTE_BYTES_MOST)
        return fail(fetch, hub, REMOTE_PIECES, 0);
    fetch->not_before = remote_now() + wait;
    return HOST_START;
}

/* Fetch the file again from the URL that was named, unless that was done too often. */
static host_problem start_over(remote_fetch *fetch, const remote_hub *hub)
{
    if (++fetch->restarts > REMOTE_RESTARTS_MOST)
        return fail(fetch, hub, REMOTE_CHANGED, 0);
    fetch_rewind(fetch, hub);
    return fetch_discard(fetch) ? request_again(fetch, hub, 0) : HOST_READ;
}

/* Schedule a retry after a time that doubles with each retry, or that the server requests. After most retries without
 * progress, fail with the problem. */
static host_problem retry(remote_fetch *fetch, const remote_hub *hub, unsigned most, remote_problem problem,
                          uint32_t detail)
{
    curl_off_t delay = 0;
    if (fetch->response.status >= 400)
        curl.easy_getinfo(fetch->easy, CURLINFO_RETRY_AFTER, &delay);
    if (delay > REMOTE_WAIT_MOST)
        return fail(fetch, hub, REMOTE_LATER, delay > UINT32_MAX ? UINT32_MAX : (uint32_t)delay);
    if (fetch->retries >= most)
        return fail(fetch, hub, problem, detail);
    int64_t wait = (int64_t)REMOTE_WAIT_FIRST << fetch->retries++;
    return request_again(fetch, hub, wait > delay * 1000 ? wait : (int64_t)delay * 1000);
}

/* Decide what follows an error of the connection. */
static host_problem lost(remote_fetch *fetch, const remote_hub *hub, CURLcode result)
{
    uint32_t code = (uint32_t)result;
    switch (result) {
    case CURLE_OUT_OF_MEMORY:
        /* libcurl has the same code for a header line that is too long for it */
        return fetch->response.fields > 0 && !fetch->response.ended ? fail(fetch, hub, REMOTE_HEAD, 0) : HOST_MEMORY;
    case CURLE_URL_MALFORMAT:
        return fail(fetch, hub, REMOTE_ADDRESS, 0);
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_ABORTED_BY_CALLBACK: /* by reachable.c: to look like a server that is not there */
        code = result == CURLE_ABORTED_BY_CALLBACK ? CURLE_COULDNT_CONNECT : code;
        return retry(fetch, hub, REMOTE_UNREACHED_MOST, REMOTE_REACH, code);
    case CURLE_OPERATION_TIMEDOUT:
        if (fetch->slow_retries++ < REMOTE_SLOW_MOST)
            return request_again(fetch, hub, 0);
        return fail(fetch, hub, REMOTE_SLOW, 0);
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
        return fail(fetch, hub, REMOTE_TLS, code);
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
        return retry(fetch, hub, REMOTE_LOST_MOST, REMOTE_LOST, code);
    default:
        return fail(fetch, hub, REMOTE_PROTOCOL, code);
    }
}

/* Return why the Hub refuses the file, or REMOTE_FINE if it gave no reason. The reasons of other servers are
 * ignored. */
static remote_problem hub_problem(const remote_fetch *fetch, const remote_hub *hub)
{
    bool token = hub->token[0] != '\0';
    switch (fetch->trusted ? fetch->response.error : HUB_SILENT) {
    case HUB_REPOSITORY:
        return token ? REMOTE_NO_REPOSITORY_TOKEN : REMOTE_NO_REPOSITORY;
    case HUB_REVISION:
        return REMOTE_NO_REVISION;
    case HUB_ENTRY:
        return REMOTE_MISSING;
    case HUB_GATED:
        return token ? REMOTE_GATED_TOKEN : REMOTE_GATED;
    case HUB_DISABLED:
        return REMOTE_DISABLED;
    case HUB_CREDENTIALS:
        return token ? REMOTE_CREDENTIALS : REMOTE_DENIED_HUB;
    default:
        return REMOTE_FINE;
    }
}

/* Decide what follows a response that does not contain the file. */
static host_problem refused(remote_fetch *fetch, const remote_hub *hub)
{
    unsigned status = fetch->response.status;
    if (status == 408 || status == 429 || status == 500 || (status >= 502 && status <= 504))
        return retry(fetch, hub, REMOTE_LOST_MOST, REMOTE_BUSY, status);
    if (fetch->stored > 0 && status >= 400 && status < 500) /* it was there for the last request */
        return start_over(fetch, hub);
    remote_problem problem = status >= 400 && status < 500 ? hub_problem(fetch, hub) : REMOTE_FINE;
    if (problem != REMOTE_FINE)
        return fail(fetch, hub, problem, status);
    switch (status) {
    case 404:
    case 410:
        return fail(fetch, hub, REMOTE_MISSING, status);
    case 401:
    case 403:
        return fail(fetch, hub, fetch->trusted && hub->token[0] == '\0' ? REMOTE_DENIED_HUB : REMOTE_DENIED, status);
    case 416:
        return fail(fetch, hub, REMOTE_NO_RANGE, status);
    default:
        return fail(fetch, hub, REMOTE_STATUS, status);
    }
}

/* Return whether the file is empty: most servers respond to that with "Range Not Satisfiable". */
static bool is_empty(const remote_fetch *fetch)
{
    const remote_response *response = &fetch->response;
    return response->status == 416 && response->has_total && !response->bad_range && response->state.total == 0 &&
           fetch->stored == 0;
}

static bool is_redirection(unsigned status)
{
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

/* Decide what follows a response that contained the file, or part of it. */
static host_problem received_body(remote_fetch *fetch, const remote_hub *hub, CURLcode result)
{
    if (fetch->has_state && fetch->stored >= fetch_needed(fetch)) /* however the connection ended */
        return fetch_seal(fetch) ? HOST_FINE : HOST_READ;
    if (result != CURLE_OK)
        return lost(fetch, hub, result);
    if (fetch->received == 0)
        return fail(fetch, hub, REMOTE_LENGTH, 0);
    return request_again(fetch, hub, 0);
}

host_problem fetch_step(remote_fetch *fetch, const remote_hub *hub, CURLcode result)
{
    unsigned status = fetch->response.status;
    bool file = status == 200 || status == 206;
    scope_update(fetch, hub, result);
    if (file && fetch->received > 0 && fetch->checked && fetch->problem == REMOTE_FINE)
        fetch->retries = 0; /* there was progress */
    if (file && !fetch->checked && fetch->response.ended && fetch->problem == REMOTE_FINE)
        fetch_receive(fetch, "", 0); /* the body is empty */
    if (fetch->write_failed)
        return HOST_READ;
    if (remote_now() - fetch->started >= REMOTE_SECONDS_MOST * 1000)
        return fail(fetch, hub, REMOTE_TIME, 0);
    if (fetch->problem == REMOTE_CHANGED || fetch->restarts > REMOTE_RESTARTS_MOST)
        return start_over(fetch, hub);
    if (fetch->problem != REMOTE_FINE)
        return fail(fetch, hub, fetch->problem, 0);
    if (fetch->trusted && fetch->response.commit[0] != '\0')
        strcpy(fetch->commit, fetch->response.commit);
    if (file && fetch->checked)
        return received_body(fetch, hub, result);
    bool cut = !file && fetch->received > REMOTE_IGNORED_MOST; /* by fetch_receive */
    if (result != CURLE_OK && !cut)
        return lost(fetch, hub, result);
    if (is_redirection(status)) {
        remote_problem problem = fetch_redirect(fetch, hub);
        return problem == REMOTE_FINE ? request_again(fetch, hub, 0) : fail(fetch, hub, problem, status);
    }
    if (is_empty(fetch)) {
        fetch->state = fetch->response.state;
        return fetch_seal(fetch) ? HOST_FINE : HOST_READ;
    }
    return refused(fetch, hub);
}

#else

typedef int remote_nothing; /* ISO C has no empty source file */

#endif
