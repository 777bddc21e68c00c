/* fetch_steps.c: what comes after a request: the file is there, or can't be had, or one more request. */
#include "posix.h"

#if defined(ASSAY_CURL)

#include <string.h>

#include "fetch.h"

static host_problem fail(remote_fetch *fetch, const remote_hub *hub, remote_problem problem, uint32_t detail)
{
    fetch->cost.problem = scope_problem(fetch, hub, problem);
    fetch->cost.detail = fetch->cost.problem == problem ? detail : 0;
    return HOST_REMOTE;
}

/* One more request, now or later. */
static host_problem go_on(remote_fetch *fetch, const remote_hub *hub, int64_t wait)
{
    if (fetch->cost.requests >= REMOTE_REQUESTS_MOST || fetch->cost.bytes >= REMOTE_BYTES_MOST)
        return fail(fetch, hub, REMOTE_PIECES, 0);
    fetch->again = remote_now() + wait;
    return HOST_START;
}

/* From the address as it was named, if that may help. */
static host_problem begin_anew(remote_fetch *fetch, const remote_hub *hub)
{
    if (++fetch->anew > REMOTE_ANEW_MOST)
        return fail(fetch, hub, REMOTE_CHANGED, 0);
    fetch_return(fetch, hub);
    return fetch_empty(fetch) ? go_on(fetch, hub, 0) : HOST_READ;
}

/* Once more after a while, which grows; at most so often without progress. */
static host_problem retry(remote_fetch *fetch, const remote_hub *hub, unsigned most, remote_problem problem,
                          uint32_t detail)
{
    curl_off_t asked = 0;
    if (fetch->answer.status >= 400)
        curl.easy_getinfo(fetch->easy, CURLINFO_RETRY_AFTER, &asked);
    if (asked > REMOTE_WAIT_MOST)
        return fail(fetch, hub, REMOTE_LATER, asked > UINT32_MAX ? UINT32_MAX : (uint32_t)asked);
    if (fetch->lost >= most)
        return fail(fetch, hub, problem, detail);
    int64_t wait = (int64_t)REMOTE_WAIT_FIRST << fetch->lost++;
    return go_on(fetch, hub, wait > asked * 1000 ? wait : (int64_t)asked * 1000);
}

/* The connection, or what libcurl makes of it, went wrong. */
static host_problem lost(remote_fetch *fetch, const remote_hub *hub, CURLcode result)
{
    uint32_t code = (uint32_t)result;
    switch (result) {
    case CURLE_OUT_OF_MEMORY:
        /* libcurl says the same of a line that is too long for it */
        return fetch->answer.fields > 0 && !fetch->answer.ended ? fail(fetch, hub, REMOTE_HEAD, 0) : HOST_MEMORY;
    case CURLE_URL_MALFORMAT:
        return fail(fetch, hub, REMOTE_ADDRESS, 0);
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_ABORTED_BY_CALLBACK: /* see reachable.c: it takes as long as if nothing were there */
        code = result == CURLE_ABORTED_BY_CALLBACK ? CURLE_COULDNT_CONNECT : code;
        return retry(fetch, hub, REMOTE_UNREACHED_MOST, REMOTE_REACH, code);
    case CURLE_OPERATION_TIMEDOUT:
        return fetch->slow++ < REMOTE_SLOW_MOST ? go_on(fetch, hub, 0) : fail(fetch, hub, REMOTE_SLOW, 0);
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

/* Why the Hub refuses. Another server's word for it counts for nothing. */
static remote_problem hub_problem(const remote_fetch *fetch, const remote_hub *hub)
{
    bool token = hub->token[0] != '\0';
    switch (fetch->trusted ? fetch->answer.error : HUB_SILENT) {
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

/* An answer that isn't the file. */
static host_problem refused(remote_fetch *fetch, const remote_hub *hub)
{
    unsigned status = fetch->answer.status;
    if (status == 408 || status == 429 || status == 500 || (status >= 502 && status <= 504))
        return retry(fetch, hub, REMOTE_LOST_MOST, REMOTE_BUSY, status);
    if (fetch->got > 0 && status >= 400 && status < 500) /* it was there a moment ago */
        return begin_anew(fetch, hub);
    remote_problem said = status >= 400 && status < 500 ? hub_problem(fetch, hub) : REMOTE_FINE;
    if (said != REMOTE_FINE)
        return fail(fetch, hub, said, status);
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

/* "Range Not Satisfiable" is how most servers say that a file is empty. */
static bool is_empty(const remote_fetch *fetch)
{
    const remote_answer *answer = &fetch->answer;
    return answer->status == 416 && answer->has_total && !answer->bad_range && answer->state.total == 0 &&
           fetch->got == 0;
}

static bool is_redirection(unsigned status)
{
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

/* A body of the file has come, in full or in part. */
static host_problem came(remote_fetch *fetch, const remote_hub *hub, CURLcode result)
{
    if (fetch->known && fetch->got >= fetch_want(fetch)) /* how the connection ended is all the same */
        return fetch_seal(fetch) ? HOST_FINE : HOST_READ;
    if (result != CURLE_OK)
        return lost(fetch, hub, result);
    if (fetch->came == 0)
        return fail(fetch, hub, REMOTE_LENGTH, 0);
    return go_on(fetch, hub, 0);
}

host_problem fetch_next(remote_fetch *fetch, const remote_hub *hub, CURLcode result)
{
    unsigned status = fetch->answer.status;
    bool file = status == 200 || status == 206;
    scope_learn(fetch, hub, result);
    if (file && fetch->came > 0 && fetch->judged && fetch->wrong == REMOTE_FINE)
        fetch->lost = 0; /* there was progress */
    if (file && !fetch->judged && fetch->answer.ended && fetch->wrong == REMOTE_FINE)
        fetch_take(fetch, "", 0); /* it has no body */
    if (fetch->broken)
        return HOST_READ;
    if (remote_now() - fetch->begun >= REMOTE_SECONDS_MOST * 1000)
        return fail(fetch, hub, REMOTE_TIME, 0);
    if (fetch->wrong == REMOTE_CHANGED || fetch->anew > REMOTE_ANEW_MOST)
        return begin_anew(fetch, hub);
    if (fetch->wrong != REMOTE_FINE)
        return fail(fetch, hub, fetch->wrong, 0);
    if (fetch->trusted && fetch->answer.commit[0] != '\0')
        strcpy(fetch->commit, fetch->answer.commit);
    if (file && fetch->judged)
        return came(fetch, hub, result);
    bool cut = !file && fetch->came > REMOTE_IGNORED_MOST; /* by us */
    if (result != CURLE_OK && !cut)
        return lost(fetch, hub, result);
    if (is_redirection(status)) {
        remote_problem problem = fetch_follow(fetch, hub);
        return problem == REMOTE_FINE ? go_on(fetch, hub, 0) : fail(fetch, hub, problem, status);
    }
    if (is_empty(fetch)) {
        fetch->state = fetch->answer.state;
        return fetch_seal(fetch) ? HOST_FINE : HOST_READ;
    }
    return refused(fetch, hub);
}

#else

typedef int remote_nothing; /* a file can't be empty */

#endif
