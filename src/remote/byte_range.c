/* byte_range.c: what there is of a file, and how much of it is needed. */
#include "posix.h"

#if defined(ASSAY_CURL)

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fetch.h"

static uint64_t least(uint64_t left, uint64_t right)
{
    return left < right ? left : right;
}

/* The core says it, on seeing the first eight bytes; what it rejects is looked at for what else it may be. */
static uint64_t head_want(const remote_fetch *fetch)
{
    assay_need need;
    assay_error error;
    uint64_t total = fetch->state.total, start = least(total, sizeof fetch->start);
    if (fetch->got < start)
        return least(total, REMOTE_FIRST);
    assay_status status = assay_measure(fetch->start, start, total, NULL, &need, &error);
    uint64_t head = status == ASSAY_NEED_MORE ? need.head : 0;
    return least(total, head > REMOTE_LOOK ? head : REMOTE_LOOK);
}

uint64_t fetch_want(const remote_fetch *fetch)
{
    if (!fetch->known)
        return REMOTE_FIRST;
    return fetch->whole ? fetch->state.total : head_want(fetch);
}

bool fetch_empty(remote_fetch *fetch)
{
    fetch->got = 0;
    fetch->known = false;
    if (ftruncate(fetch->fd, 0) == 0)
        return true;
    fetch->broken = true;
    fetch->error = errno;
    return false;
}

static bool write_all(remote_fetch *fetch, const char *bytes, size_t count)
{
    for (size_t done = 0; done < count;) {
        ssize_t put = pwrite(fetch->fd, bytes + done, count - done, (off_t)(fetch->got + done));
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0) {
            fetch->broken = true;
            fetch->error = errno;
            return false;
        }
        done += (size_t)put;
    }
    return true;
}

/* The answer's head is whole: are these the bytes that were asked for, and of the same file? */
static bool look_at(remote_fetch *fetch)
{
    remote_answer *answer = &fetch->answer;
    fetch->judged = true;
    fetch->wrong = answer_judge(answer, fetch->from, fetch->to - 1);
    if (fetch->wrong != REMOTE_FINE)
        return false;
    if (answer->status == 200 && fetch->known) {
        fetch->anew += fetch->from > 0; /* it changed, or ranges aren't known here: all of it comes */
        if (!fetch_empty(fetch))
            return false;
    }
    if (fetch->known && fetch->from > 0 && !answer_same(&fetch->state, &answer->state)) {
        fetch->wrong = REMOTE_CHANGED;
        return false;
    }
    if (fetch->from == 0 && fetch->got > 0 && !fetch_empty(fetch))
        return false;
    fetch->state = answer->state;
    fetch->known = true;
    if (fetch->whole && fetch->state.total > REMOTE_INDEX_MOST)
        fetch->wrong = REMOTE_LARGE;
    return fetch->wrong == REMOTE_FINE;
}

bool fetch_take(remote_fetch *fetch, const char *bytes, size_t count)
{
    const remote_answer *answer = &fetch->answer;
    fetch->came += count;
    if (answer->status != 200 && answer->status != 206)
        return fetch->came <= REMOTE_IGNORED_MOST;
    if (!fetch->judged && !look_at(fetch))
        return false;
    uint64_t end = answer->status == 206 ? answer->last + 1 : fetch->state.total;
    if (count > end - fetch->got) {
        fetch->wrong = REMOTE_LENGTH;
        return false;
    }
    if (fetch->got < sizeof fetch->start)
        memcpy(fetch->start + fetch->got, bytes, (size_t)least(count, sizeof fetch->start - fetch->got));
    if (!write_all(fetch, bytes, count))
        return false;
    fetch->got += count;
    fetch->enough = answer->status == 200 && fetch->got >= fetch_want(fetch);
    return !fetch->enough || fetch->got == end;
}

bool fetch_seal(remote_fetch *fetch)
{
    bool fine = ftruncate(fetch->fd, (off_t)fetch->state.total) == 0;
    fetch->error = errno;
#if defined(F_ADD_SEALS)
    fcntl(fetch->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL); /* a file can't be */
#endif
    return fine;
}

#else

typedef int remote_nothing; /* a file can't be empty */

#endif
