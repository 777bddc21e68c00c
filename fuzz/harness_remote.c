/* harness_remote.c: fuzz what servers and users send to the process that fetches. The first byte of the input
 * selects:
 *
 *     even   the head of a response: the requested range (its first byte: 8 bytes; how many more: 4), then lines. A
 *            second implementation of src/remote/http_response.c must agree.
 *     odd    an address, the path of a shard and the Hub's endpoint, separated by zero bytes; if it is 3 modulo 4, the
 *            model's commit is known. The URL that src/remote/remote_address.c makes is checked. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "fetch_limits.h"
#include "fuzz.h"
#include "http_response.h"
#include "remote_files.h"

/* ---- Addresses ----------------------------------------------------------------------------------------- */

static const char known_commit[] = "0123456789abcdef0123456789abcdef01234567";

/* Return a copy of the text in guarded memory, with a zero byte after it. */
static char *text_of(const char *bytes, size_t size)
{
    char *copy = guarded(size + 1, 0);
    if (size > 0)
        memcpy(copy, bytes, size);
    return copy;
}

static char *joined(const char *one, const char *two, const char *three)
{
    size_t first = strlen(one), second = strlen(two);
    char *both = guarded(first + second + strlen(three) + 1, 0);
    strcpy(both, one);
    strcpy(both + first, two);
    strcpy(both + first + second, three);
    return both;
}

static bool is_scheme(const char *address, const char *scheme)
{
    return strncasecmp(address, scheme, strlen(scheme)) == 0;
}

static bool is_plain(int byte)
{
    return byte != '\0' && (isalnum(byte) || strchr("-._~", byte) != NULL);
}

/* Return the text without escapes; each byte of it must be unreserved, a slash or escaped. */
static char *unescaped(const char *url)
{
    char *out = guarded(strlen(url) + 1, 0), *end = out;
    for (; *url != '\0'; url++) {
        demand(is_plain((uint8_t)*url) || *url == '/' || *url == '%', "a byte of a path that is not escaped");
        *end++ = *url;
        if (*url != '%')
            continue;
        demand(isxdigit((uint8_t)url[1]) && isxdigit((uint8_t)url[2]), "an escape that is none");
        char pair[3] = {url[1], url[2], '\0'};
        end[-1] = (char)strtoul(pair, NULL, 16);
        url += 2;
    }
    return out;
}

/* Return whether a path, with a slash before and after it, contains //, /./ or /../. */
static bool leads_elsewhere(const char *path)
{
    const char *round = joined("/", path, "/");
    return strstr(round, "//") != NULL || strstr(round, "/./") != NULL || strstr(round, "/../") != NULL;
}

/* ENDPOINT/OWNER/MODEL/resolve/REVISION/PATH */
static void check_hub_url(const char *url, const remote_name *name, const char *endpoint, const char *instead)
{
    const char *owner = name->base + strlen("hf://"), *wanted = joined(owner, name->path, "");
    size_t length = strlen(endpoint), both = strcspn(owner, "/");
    both += 1 + strcspn(owner + both + 1, "@/");
    demand(strncmp(url, endpoint, length) == 0 && url[length] == '/', "a URL beside the endpoint");
    demand((is_scheme(endpoint, "http://") || is_scheme(endpoint, "https://")) && strpbrk(endpoint, "?#\\") == NULL,
           "an endpoint that is none");
    url += length + 1;
    demand(strncmp(url, owner, both) == 0 && strncmp(url + both, "/resolve/", 9) == 0, "another owner or model");
    const char *revision = url + both + 9, *path = strchr(revision, '/');
    demand(path != NULL && path > revision, "a URL without a revision, or without a path");
    const char *spelt = text_of(revision, (size_t)(path - revision));
    const char *means = unescaped(spelt), *file = unescaped(path);
    demand(strstr(means, "..") == NULL && means[0] != '.', "a revision that leads elsewhere");
    demand(instead == NULL || strcmp(spelt, instead) == 0, "another revision than that of the index");
    demand(!leads_elsewhere(file + 1), "a path that leads elsewhere");
    demand(strlen(wanted) > strlen(file) && strcmp(wanted + strlen(wanted) - strlen(file), file) == 0, "another file");
    if (instead == NULL)
        demand(owner[both] == '@' ? strncasecmp(owner + both + 1, spelt, strcspn(spelt, "%/")) == 0
                                  : strcmp(spelt, "main") == 0, "another revision");
}

static void check_plain_url(const char *url, const remote_name *name)
{
    size_t base = strcspn(name->base, "#"), query = strlen(name->query), length = strlen(url);
    const char *host = strstr(url, "://") + 3;
    demand(length >= base + query && strncmp(url, name->base, base) == 0 &&
               strcmp(url + length - query, name->query) == 0, "a URL that is another");
    const char *path = text_of(url + base, length - base - query);
    demand(strcmp(name->as_it_is ? path : unescaped(path), name->path) == 0, "another path");
    demand(path[0] == '\0' || !leads_elsewhere(path), "a path that leads elsewhere");
    demand(strcspn(host, "/?#") > 0 && memchr(host, '@', strcspn(host, "/?#")) == NULL, "a host that is none");
    for (size_t i = 0; i < length; i++)
        demand(url[i] > ' ' && url[i] <= '~' && url[i] != '\\' && url[i] != '#', "a byte that a URL may not have");
}

/* Return the problem of an address that is fetched unchanged. */
static remote_problem plain_problem(const char *address)
{
    const char *host = strstr(address, "://") + 3;
    size_t length = strcspn(address, "#"), end = strcspn(host, "/?#");
    remote_problem problem = end == 0 || length >= REMOTE_ADDRESS_MOST ? REMOTE_ADDRESS : REMOTE_FINE;
    for (size_t i = 0; i < length; i++)
        if (address[i] <= ' ' || address[i] > '~' || address[i] == '\\')
            problem = REMOTE_ADDRESS;
    return memchr(host, '@', end) != NULL ? REMOTE_PASSWORD : problem;
}

static remote_problem check_url(const remote_name *name, const char *endpoint, const char *instead)
{
    char *url = guarded(REMOTE_ADDRESS_MOST, 0x00), *again = guarded(REMOTE_ADDRESS_MOST, 0xFF);
    remote_problem problem = remote_url(url, name, endpoint, instead);
    demand(problem == remote_url(again, name, endpoint, instead), "a URL depends on what was in its memory");
    if (problem == REMOTE_FINE) {
        demand(strnlen(url, REMOTE_ADDRESS_MOST) < REMOTE_ADDRESS_MOST && strcmp(url, again) == 0, "no URL");
        if (is_scheme(name->base, "hf://"))
            check_hub_url(url, name, endpoint, instead);
        else
            check_plain_url(url, name);
    }
    demand(problem == REMOTE_FINE || problem == REMOTE_ADDRESS ||
               problem == (is_scheme(name->base, "hf://") ? REMOTE_ENDPOINT : REMOTE_PASSWORD),
           "a problem that an address does not have");
    return problem;
}

/* Check that the parts of an address form the address, and that a shard is requested from the folder of the index. */
static void check_model(const char *address, remote_kind kind, const char *path, const char *endpoint,
                        const char *instead)
{
    size_t length = strlen(address);
    char *folder = guarded(length + 40, 0xFF), *name = guarded(length + 40, 0xFF), *query = guarded(length + 40, 0xFF);
    remote_split(address, kind, folder, name, query);
    bool hub = is_scheme(address, "hf://");
    const char *whole = joined(folder, name, query), *plain = hub ? address : text_of(address, strcspn(address, "#"));
    demand(folder[strlen(folder) - 1] == '/' && strchr(name, '/') == NULL, "a folder that is none");
    demand(query[0] == (hub ? '\0' : query[0]) && (query[0] == '\0' || query[0] == '?'), "a query that is none");
    if (kind == REMOTE_REPOSITORY)
        demand(strcmp(folder, address[length - 1] == '/' ? address : joined(address, "/", "")) == 0, "another folder");
    else
        demand(strcmp(whole, plain) == 0, "the parts of an address are not all of it");
    const remote_name index = {folder, name, query, true}, shard = {folder, path, query, false};
    remote_problem problem = check_url(&index, endpoint, NULL);
    demand(remote_kind_of(whole) == REMOTE_INDEX || problem != REMOTE_FINE, "an index that is none");
    demand(hub || problem == plain_problem(plain) || leads_elsewhere(name), "an index is not asked for at its address");
    if (path[0] != '\0')
        check_url(&shard, endpoint, instead);
}

static void check_address(const char *address, const char *path, const char *endpoint, const char *instead)
{
    remote_kind kind = remote_kind_of(address), again = remote_kind_of(text_of(address, strlen(address)));
    bool hub = is_scheme(address, "hf://"), any = is_scheme(address, "http://") || is_scheme(address, "https://");
    demand(kind == again && kind <= REMOTE_REPOSITORY, "an address is of two kinds");
    demand((kind != REMOTE_NONE) == (hub || any) && (kind != REMOTE_REPOSITORY || hub), "an address of another kind");
    if (kind == REMOTE_NONE)
        return;
    if (kind != REMOTE_REPOSITORY) {
        const remote_name name = {address, "", "", false};
        remote_problem problem = check_url(&name, endpoint, instead);
        demand(hub || problem == plain_problem(address), "an address is refused that is fine, or the other way round");
    }
    if (kind != REMOTE_FILE)
        check_model(address, kind, path, endpoint, instead);
}

/* ---- Text ---------------------------------------------------------------------------------------------- */

static bool printable(const char *text, size_t room)
{
    size_t length = strnlen(text, room);
    for (size_t i = 0; i < length; i++)
        if (text[i] < ' ' || text[i] > '~')
            return false;
    return length < room;
}

/* ---- The head of a response: a second implementation --------------------------------------------------- */

typedef struct {
    const char *at;
    size_t size;
} text;

typedef struct {
    bool ended, encoded, chunks, has_length, length_bad, has_range, range_bad, star, has_total;
    unsigned status, lines;
    size_t bytes;
    uint64_t length, first, last, total, modified_on, sent_on;
    text etag, modified, commit;
    hub_error code, message; /* the last known one; the first one */
} reading;

/* Return whether the text has this form: # is a number below 2^64, . any byte, 0 any digit; case is ignored. */
static bool has_form(text value, const char *form, uint64_t *number)
{
    size_t at = 0;
    for (; *form != '\0'; form++) {
        size_t from = at;
        unsigned __int128 sum = 0;
        for (; *form == '#' && at < value.size && isdigit((uint8_t)value.at[at]); at++)
            if (sum <= UINT64_MAX)
                sum = 10 * sum + (unsigned)(value.at[at] - '0');
        if (*form == '#') {
            if (at == from || sum > UINT64_MAX)
                return false;
            *number++ = (uint64_t)sum;
            continue;
        }
        int byte = at < value.size ? (uint8_t)value.at[at++] : -1;
        if (byte < 0 || !(*form == '.' || (*form == '0' ? isdigit(byte) : tolower(byte) == tolower(*form))))
            return false;
    }
    return at == value.size;
}

static uint64_t digits(const char *at, size_t count)
{
    uint64_t number = 0;
    for (size_t i = 0; i < count; i++)
        number = 10 * number + (uint64_t)(at[i] - '0');
    return number;
}

/* Return "Sat, 21 Nov 2026 10:00:00 GMT" as a number that orders dates; 0: it is not a date. */
static uint64_t date_of(text value)
{
    static const char months[12][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const char *at = value.at;
    if (!has_form(value, ".....00.....0000.00.00.00 GMT", NULL) || memcmp(at + 25, " GMT", 4) != 0)
        return 0;
    for (unsigned i = 0; i < 12; i++)
        if (memcmp(at + 8, months[i], 3) == 0)
            return (digits(at + 12, 4) * 12 + i) * 100000000 + digits(at + 5, 2) * 1000000 +
                   digits(at + 17, 2) * 10000 + digits(at + 20, 2) * 100 + digits(at + 23, 2) + 1;
    return 0;
}

static void read_range(reading *to, text value)
{
    uint64_t number[3] = {0};
    bool both = has_form(value, "bytes #-#/#", number), open = !both && has_form(value, "bytes #-#/*", number);
    bool none = !both && !open && (has_form(value, "bytes */#", number + 2) || has_form(value, "bytes */*", number));
    to->range_bad |= to->has_range || !(both || open || none);
    to->has_range = true;
    to->star = none;
    to->has_total = both || (none && value.at[value.size - 1] != '*');
    to->first = number[0];
    to->last = number[1];
    to->total = number[2];
}

static hub_error code_of(text value)
{
    return has_form(value, "RepoNotFound", NULL)       ? HUB_REPOSITORY
           : has_form(value, "RevisionNotFound", NULL) ? HUB_REVISION
           : has_form(value, "EntryNotFound", NULL)    ? HUB_ENTRY
           : has_form(value, "GatedRepo", NULL)        ? HUB_GATED
           : has_form(value, "DisabledRepo", NULL)     ? HUB_DISABLED
                                                       : HUB_SILENT;
}

static hub_error message_of(text value)
{
    bool ends = value.size > 0 && value.at[value.size - 1] == '.';
    if (ends && has_form(value, "access to this resource is disabled.", NULL))
        return HUB_DISABLED;
    return has_form(value, "invalid credentials in authorization header", NULL) ? HUB_CREDENTIALS : HUB_SILENT;
}

static void read_field(reading *to, text name, text value)
{
#define CALLED(word) (name.size == sizeof word - 1 && strncasecmp(name.at, word, name.size) == 0)
    uint64_t number = 0;
    if (CALLED("Content-Length")) {
        bool fine = has_form(value, "#", &number);
        to->length_bad |= !fine || (to->has_length && number != to->length);
        to->has_length = true;
        to->length = number;
    } else if (CALLED("Content-Range")) {
        read_range(to, value);
    } else if (CALLED("Content-Encoding")) {
        to->encoded |= value.size > 0 && !has_form(value, "identity", NULL);
    } else if (CALLED("Transfer-Encoding")) {
        to->chunks = true;
        to->encoded |= !has_form(value, "identity", NULL) && !has_form(value, "chunked", NULL);
    } else if (CALLED("ETag")) {
        to->etag = value;
    } else if (CALLED("Last-Modified")) {
        to->modified = value;
        to->modified_on = date_of(value);
    } else if (CALLED("Date")) {
        to->sent_on = date_of(value);
    } else if (CALLED("X-Repo-Commit")) {
        to->commit = value;
    } else if (CALLED("X-Error-Code")) {
        to->code = code_of(value) != HUB_SILENT ? code_of(value) : to->code;
    } else if (CALLED("X-Error-Message")) {
        to->message = to->message == HUB_SILENT ? message_of(value) : to->message;
    }
#undef CALLED
}

static void read_line(reading *to, text line)
{
    unsigned lines = to->lines + 1;
    size_t bytes = to->bytes + line.size;
    const char *space = memchr(line.at, ' ', line.size), *colon = memchr(line.at, ':', line.size);
    if (line.size > 5 && strncmp(line.at, "HTTP/", 5) == 0) {
        unsigned __int128 status = 0;
        for (const char *c = space; c != NULL && ++c < line.at + line.size && isdigit((uint8_t)*c);)
            status = status > 999 ? status : 10 * status + (unsigned)(*c - '0');
        *to = (reading){.status = status > 999 ? 0 : (unsigned)status};
    } else if (colon != NULL) {
        text value = {colon + 1, (size_t)(line.at + line.size - colon - 1)};
        for (; value.size > 0 && memchr(" \t\r\n", value.at[0], 4) != NULL; value.at++)
            value.size--;
        while (value.size > 0 && memchr(" \t\r\n", value.at[value.size - 1], 4) != NULL)
            value.size--;
        read_field(to, (text){line.at, (size_t)(colon - line.at)}, value);
    }
    to->lines = lines;
    to->bytes = bytes;
    to->ended = line.at[0] == '\r' || line.at[0] == '\n';
}

/* ---- Both implementations must agree ------------------------------------------------------------------- */

/* Check what is kept of a value: all of it, or nothing if it is too long or could not be sent back. */
static void check_kept(const char *kept, size_t room, text value)
{
    bool fits = value.size < room;
    for (size_t i = 0; i < value.size && fits; i++)
        fits = value.at[i] >= ' ' && value.at[i] <= '~';
    demand(printable(kept, room), "a text of the answer that can't be sent back");
    demand(fits ? strlen(kept) == value.size && same_bytes(kept, value.at, value.size) : kept[0] == '\0',
           "a text of the answer is not what was sent");
}

static void check_commit(const char *commit, text value)
{
    bool hexadecimal = value.size == 40 || value.size == 64;
    for (size_t i = 0; i < value.size && hexadecimal; i++)
        hexadecimal = isdigit((uint8_t)value.at[i]) || (value.at[i] >= 'a' && value.at[i] <= 'f');
    check_kept(commit, REMOTE_COMMIT, hexadecimal ? value : (text){"", 0});
}

static void check_state(const remote_state *state, const reading *expected)
{
    check_kept(state->etag, sizeof state->etag, expected->etag);
    check_kept(state->modified, sizeof state->modified, expected->modified);
    demand((state->sent != 0) == (expected->sent_on != 0) && (state->written == 0 || expected->modified_on != 0),
           "a date that is none, or one that is not taken");
    demand(state->written == 0 || state->sent == 0 ||
               (state->written < state->sent) == (expected->modified_on < expected->sent_on),
           "a later date has a smaller number");
    const char *proof = response_validator(state);
    bool dated = expected->modified_on != 0 && expected->sent_on > expected->modified_on && state->modified[0] != '\0';
    demand((proof != NULL) == (state->etag[0] == '"' || dated), "a proof where there is none, or none where there is");
    demand(proof == NULL || strcmp(proof, state->etag[0] == '"' ? state->etag : state->modified) == 0,
           "a proof that proves nothing");
    demand(response_same_state(state, state), "a state that is not the same as itself");
}

static void check_answer(const remote_response *answer, const reading *expected)
{
    demand(answer->fields == expected->lines && answer->bytes == expected->bytes && answer->ended == expected->ended,
           "lines are lost");
    demand(answer->status == expected->status, "another status");
    demand(answer->encoded == expected->encoded && answer->in_chunks == expected->chunks, "another encoding");
    demand(answer->has_length == expected->has_length && answer->bad_length == expected->length_bad &&
               (expected->length_bad || !expected->has_length || answer->length == expected->length), "another length");
    demand(answer->has_range == expected->has_range && answer->bad_range == expected->range_bad, "another range");
    if (expected->has_range && !expected->range_bad) {
        demand(expected->star ? answer->first > answer->last
                              : answer->first == expected->first && answer->last == expected->last,
               "another range");
        demand(answer->has_total == expected->has_total &&
                   (!expected->has_total || answer->state.total == expected->total),
               "another total");
    }
    demand(answer->error == (expected->code != HUB_SILENT ? expected->code : expected->message),
           "another reason of the Hub");
    check_commit(answer->commit, expected->commit);
    check_state(&answer->state, expected);
}

/* Check that an accepted response is a part of the requested range of a possible file. Copies are judged: for status
 * 200 the judgement sets the total to the length, which later lines must not see. */
static void check_judgement(const remote_response *answer, const reading *expected, uint64_t first, uint64_t last)
{
    remote_response judged = *answer, twice = *answer;
    uint64_t total = expected->status == 206 ? expected->total : expected->length;
    bool part = expected->has_range && !expected->range_bad && !expected->star && expected->has_total &&
                expected->first == first &&
                expected->last <= last && expected->first <= expected->last && expected->last < expected->total &&
                (!expected->has_length || expected->length == expected->last - expected->first + 1);
    bool whole = expected->has_length && !expected->chunks;
    bool fine = !expected->encoded && !expected->length_bad && (expected->status == 206 ? part : whole) &&
                total <= INT64_MAX;
    remote_problem problem = response_check(&judged, first, last), again = response_check(&twice, first, last);
    demand((problem == REMOTE_FINE) == fine, "an answer is fine that is not, or is not and is fine");
    demand(problem == again, "the judgement changes");
    demand(problem != REMOTE_FINE || judged.state.total == total, "another total");
    demand(problem == REMOTE_FINE || problem == REMOTE_ENCODED || problem == REMOTE_LENGTH || problem == REMOTE_RANGE ||
               problem == REMOTE_NO_SIZE || problem == REMOTE_SIZE, "a problem that an answer does not have");
}

/* Read one line, in guarded memory. False: there are too many lines, and nothing has changed. */
static bool read_both(remote_response *answer, reading *expected, const uint8_t *line, size_t size)
{
    remote_response before;
    char *copy = guarded_copy(line, size);
    memcpy(&before, answer, sizeof before);
    bool room = expected->lines < REMOTE_FIELDS_MOST && expected->bytes + size <= REMOTE_FIELDS_BYTES_MOST;
    demand(response_line(answer, copy, size) == room, "a head has more lines than it may, or fewer");
    demand(same_bytes(copy, line, size), "a line is changed");
    if (room)
        read_line(expected, (text){copy, size});
    else
        demand(same_bytes(&before, answer, sizeof before), "an answer is changed by a line too many");
    check_answer(answer, expected);
    return room;
}

static void check_response_head(const uint8_t *data, size_t size)
{
    if (size < 12)
        return;
    uint64_t first = number_at(data, 8) % INT64_MAX, last = first + number_at(data + 8, 4);
    remote_response *answer = guarded(sizeof *answer, 0), half;
    reading expected = {0}, again = {0};
    memset(&half, 0, sizeof half);
    size_t lines = 0;
    bool room = true;
    for (size_t at = 12, next; at < size && room; at = next, lines++) {
        const uint8_t *end = memchr(data + at, '\n', size - at);
        next = end == NULL ? size : (size_t)(end - data) + 1;
        room = read_both(answer, &expected, data + at, next - at);
        if (lines % 2 == 0) /* another response: every second line */
            read_both(&half, &again, data + at, next - at);
    }
    bool same = response_same_state(&answer->state, &half.state);
    demand(same == response_same_state(&half.state, &answer->state), "same is another thing the other way round");
    demand(!same || (answer->state.total == half.state.total && strcmp(answer->state.etag, half.state.etag) == 0),
           "states of another length or ETag are the same");
    if (expected.status == 200 || expected.status == 206)
        check_judgement(answer, &expected, first, last);
    while (room && size > 12) /* repeat the same line until there are too many */
        room = read_both(answer, &expected, data + 12, size - 12);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *part[3] = {NULL};
    count_execution(false); /* no file is judged */
    if (size == 0)
        return 0;
    if (data[0] % 2 == 0) {
        check_response_head(data + 1, size - 1);
    } else {
        for (size_t i = 0, at = 1; i < 3; i++) {
            size_t length = at < size ? strnlen((const char *)data + at, size - at) : 0;
            part[i] = text_of((const char *)data + (at < size ? at : 0), length);
            at += length + 1;
        }
        check_address(part[0], part[1], part[2], data[0] % 4 == 3 ? known_commit : NULL);
    }
    guard_drop();
    return 0;
}
