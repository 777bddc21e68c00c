/* remote_answer.c: the head of a server's answer, read by src/remote/http_response.c and in another way. The input:
 * the range
 * that was asked for (its first byte: 8 bytes; how many more: 4), then lines. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "http_response.h"
#include "fetch_limits.h"
#include "fuzz.h"

static bool printable(const char *text, size_t room)
{
    size_t length = strnlen(text, room);
    for (size_t i = 0; i < length; i++)
        if (text[i] < ' ' || text[i] > '~')
            return false;
    return length < room;
}

/* ---- Another reading of the lines ---------------------------------------------------------------------- */

typedef struct {
    const char *at;
    size_t size;
} text;

typedef struct {
    bool ended, encoded, chunks, length_told, length_bad, range_told, range_bad, star, total_told;
    unsigned status, lines;
    size_t bytes;
    uint64_t length, first, last, total, modified_on, sent_on;
    text etag, modified, commit;
    hub_error code, message; /* the last one that is known; the first */
} reading;

/* Is the text of this form? # is a number below 2^64, . any byte, 0 any digit; letters are of any case. */
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

/* "Sat, 21 Nov 2026 10:00:00 GMT" as a number that orders dates; 0: it is none. */
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
    to->range_bad |= to->range_told || !(both || open || none);
    to->range_told = true;
    to->star = none;
    to->total_told = both || (none && value.at[value.size - 1] != '*');
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
        to->length_bad |= !fine || (to->length_told && number != to->length);
        to->length_told = true;
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

/* ---- Do both readings agree? --------------------------------------------------------------------------- */

/* What is kept of a value: all of it, or nothing if there is no room, or something could not be sent back. */
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

static void check_state(const remote_state *state, const reading *said)
{
    check_kept(state->etag, sizeof state->etag, said->etag);
    check_kept(state->modified, sizeof state->modified, said->modified);
    demand((state->sent != 0) == (said->sent_on != 0) && (state->written == 0 || said->modified_on != 0),
           "a date that is none, or one that is not taken");
    demand(state->written == 0 || state->sent == 0 ||
               (state->written < state->sent) == (said->modified_on < said->sent_on),
           "a later date has a smaller number");
    const char *proof = answer_proof(state);
    bool dated = said->modified_on != 0 && said->sent_on > said->modified_on && state->modified[0] != '\0';
    demand((proof != NULL) == (state->etag[0] == '"' || dated), "a proof where there is none, or none where there is");
    demand(proof == NULL || strcmp(proof, state->etag[0] == '"' ? state->etag : state->modified) == 0,
           "a proof that proves nothing");
    demand(answer_same(state, state), "a state that is not the same as itself");
}

static void check_answer(const remote_answer *answer, const reading *said)
{
    demand(answer->fields == said->lines && answer->bytes == said->bytes && answer->ended == said->ended,
           "lines are lost");
    demand(answer->status == said->status, "another status");
    demand(answer->encoded == said->encoded && answer->in_chunks == said->chunks, "another encoding");
    demand(answer->has_length == said->length_told && answer->bad_length == said->length_bad &&
               (said->length_bad || !said->length_told || answer->length == said->length), "another length");
    demand(answer->has_range == said->range_told && answer->bad_range == said->range_bad, "another range");
    if (said->range_told && !said->range_bad) {
        demand(said->star ? answer->first > answer->last : answer->first == said->first && answer->last == said->last,
               "another range");
        demand(answer->has_total == said->total_told && (!said->total_told || answer->state.total == said->total),
               "another total");
    }
    demand(answer->error == (said->code != HUB_SILENT ? said->code : said->message), "another reason of the Hub");
    check_commit(answer->commit, said->commit);
    check_state(&answer->state, said);
}

/* What is fine is a part of what was asked for, of a file that can be. Copies are judged: of status 200 the total
 * becomes the length, which for the lines that are heard after it would be another than they said. */
static void check_judgement(const remote_answer *answer, const reading *said, uint64_t first, uint64_t last)
{
    remote_answer judged = *answer, twice = *answer;
    uint64_t total = said->status == 206 ? said->total : said->length;
    bool part = said->range_told && !said->range_bad && !said->star && said->total_told && said->first == first &&
                said->last <= last && said->first <= said->last && said->last < said->total &&
                (!said->length_told || said->length == said->last - said->first + 1);
    bool whole = said->length_told && !said->chunks;
    bool fine = !said->encoded && !said->length_bad && (said->status == 206 ? part : whole) && total <= INT64_MAX;
    remote_problem problem = answer_judge(&judged, first, last), again = answer_judge(&twice, first, last);
    demand((problem == REMOTE_FINE) == fine, "an answer is fine that is not, or is not and is fine");
    demand(problem == again, "the judgement changes");
    demand(problem != REMOTE_FINE || judged.state.total == total, "another total");
    demand(problem == REMOTE_FINE || problem == REMOTE_ENCODED || problem == REMOTE_LENGTH || problem == REMOTE_RANGE ||
               problem == REMOTE_NO_SIZE || problem == REMOTE_SIZE, "a problem that an answer does not have");
}

/* One line, in memory of its own. False: there are too many, and nothing has changed. */
static bool hear(remote_answer *answer, reading *said, const uint8_t *line, size_t size)
{
    remote_answer before;
    char *copy = guarded_copy(line, size);
    memcpy(&before, answer, sizeof before);
    bool room = said->lines < REMOTE_FIELDS_MOST && said->bytes + size <= REMOTE_FIELDS_BYTES_MOST;
    demand(answer_line(answer, copy, size) == room, "a head has more lines than it may, or fewer");
    demand(same_bytes(copy, line, size), "a line is changed");
    if (room)
        read_line(said, (text){copy, size});
    else
        demand(same_bytes(&before, answer, sizeof before), "an answer is changed by a line too many");
    check_answer(answer, said);
    return room;
}

void remote_head(const uint8_t *data, size_t size)
{
    if (size < 12)
        return;
    uint64_t first = number_at(data, 8) % INT64_MAX, last = first + number_at(data + 8, 4);
    remote_answer *answer = guarded(sizeof *answer, 0), half;
    reading said = {0}, again = {0};
    memset(&half, 0, sizeof half);
    size_t lines = 0;
    bool room = true;
    for (size_t at = 12, next; at < size && room; at = next, lines++) {
        const uint8_t *end = memchr(data + at, '\n', size - at);
        next = end == NULL ? size : (size_t)(end - data) + 1;
        room = hear(answer, &said, data + at, next - at);
        if (lines % 2 == 0) /* another answer: every second line */
            hear(&half, &again, data + at, next - at);
    }
    bool same = answer_same(&answer->state, &half.state);
    demand(same == answer_same(&half.state, &answer->state), "same is another thing the other way round");
    demand(!same || (answer->state.total == half.state.total && strcmp(answer->state.etag, half.state.etag) == 0),
           "states of another length or ETag are the same");
    if (said.status == 200 || said.status == 206)
        check_judgement(answer, &said, first, last);
    while (room && size > 12) /* the same again and again, until there is no room */
        room = hear(answer, &said, data + 12, size - 12);
}
