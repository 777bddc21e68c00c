/* http_response.c: reads the head of a response, see http_response.h. The fields are defined in RFC 9110. */
#include "posix.h"

#include <string.h>
#include <strings.h>

#include "http_response.h"
#include "fetch_limits.h"

#define SIZE_MOST ((uint64_t)INT64_MAX) /* bytes of a file */

/* The unread rest of a field's value. */
typedef struct {
    const char *at, *end;
} piece;

static bool is_space(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

/* Store the value of a field, without white space around it. Return false if the field has another name. */
static bool is_field(const char *line, size_t size, const char *name, piece *value)
{
    size_t length = strlen(name);
    if (size <= length || line[length] != ':' || strncasecmp(line, name, length) != 0)
        return false;
    *value = (piece){line + length + 1, line + size};
    while (value->at < value->end && is_space(value->at[0]))
        value->at++;
    while (value->at < value->end && is_space(value->end[-1]))
        value->end--;
    return true;
}

static bool is_word(piece value, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(value.end - value.at) == length && strncasecmp(value.at, word, length) == 0;
}

static bool take(piece *from, char byte)
{
    bool is = from->at < from->end && from->at[0] == byte;
    from->at += is;
    return is;
}

/* Read a decimal number. Return false if there is none, or it exceeds 64 bits. */
static bool take_number(piece *from, uint64_t *number)
{
    const char *before = from->at;
    *number = 0;
    for (; from->at < from->end && from->at[0] >= '0' && from->at[0] <= '9'; from->at++) {
        uint64_t digit = (uint64_t)(from->at[0] - '0');
        if (*number > (UINT64_MAX - digit) / 10)
            return false;
        *number = *number * 10 + digit;
    }
    return from->at > before;
}

/* Store a value to be sent back in a later request, or an empty string if it is too long or not printable ASCII. */
static void keep(char *to, size_t room, piece value)
{
    size_t length = (size_t)(value.end - value.at);
    to[0] = '\0';
    if (length >= room)
        return;
    for (size_t i = 0; i < length; i++)
        if (value.at[i] < ' ' || value.at[i] > '~')
            return;
    memcpy(to, value.at, length);
    to[length] = '\0';
}

static void take_length(remote_response *response, piece value)
{
    uint64_t length;
    bool fine = take_number(&value, &length) && value.at == value.end;
    response->bad_length |= !fine || (response->has_length && response->length != length);
    response->has_length = true;
    response->length = length;
}

/* Read a Content-Range: "bytes 0-99/1000", or with a star for the unknown size; with status 416, a star and "/1000". */
static void take_range(remote_response *response, piece value)
{
    bool fine = !response->has_range && value.end - value.at > 6 && strncasecmp(value.at, "bytes ", 6) == 0;
    response->has_range = true;
    value.at += fine ? 6 : 0;
    response->first = 1; /* of a star: an empty range */
    response->last = 0;
    if (fine && !take(&value, '*'))
        fine = take_number(&value, &response->first) && take(&value, '-') && take_number(&value, &response->last);
    fine = fine && take(&value, '/');
    response->has_total = fine && !take(&value, '*');
    if (response->has_total)
        fine = take_number(&value, &response->state.total);
    response->bad_range |= !fine || value.at != value.end;
}

/* Return a number that grows with the date, such as "Sat, 21 Nov 2026 10:00:00 GMT", or 0 if it has another form. */
static uint64_t date_number(piece value)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    static const uint8_t digits[] = {12, 13, 14, 15, 0, 5, 6, 17, 18, 20, 21, 23, 24}; /* positions; 0: the month */
    uint64_t number = 0;
    unsigned month = 0;
    if (value.end - value.at != 29 || memcmp(value.at + 25, " GMT", 4) != 0)
        return 0;
    while (month < 12 && memcmp(months + 3 * month, value.at + 8, 3) != 0)
        month++;
    for (size_t i = 0; i < sizeof digits; i++) {
        unsigned digit = digits[i] == 0 ? month : (unsigned)(uint8_t)value.at[digits[i]] - '0';
        if (digit > (digits[i] == 0 ? 11 : 9))
            return 0;
        number = number * 12 + digit;
    }
    return number + 1;
}

/* Store the date of the last change, unless it can't be sent back. */
static void keep_modified(remote_state *state, piece value)
{
    keep(state->modified, sizeof state->modified, value);
    state->written = state->modified[0] == '\0' ? 0 : date_number(value);
}

static void keep_commit(remote_response *response, piece value)
{
    keep(response->commit, sizeof response->commit, value);
    size_t length = strlen(response->commit);
    if ((length != 40 && length != 64) || strspn(response->commit, "0123456789abcdef") != length)
        response->commit[0] = '\0';
}

/* Store why the Hub refuses. A code overrides a message. */
static void take_error(remote_response *response, piece value, bool is_code)
{
    static const struct {
        const char *word;
        hub_error error;
        bool is_code;
    } words[] = {
        {"RepoNotFound", HUB_REPOSITORY, true},
        {"RevisionNotFound", HUB_REVISION, true},
        {"EntryNotFound", HUB_ENTRY, true},
        {"GatedRepo", HUB_GATED, true},
        {"DisabledRepo", HUB_DISABLED, true},
        {"Access to this resource is disabled.", HUB_DISABLED, false},
        {"Invalid credentials in Authorization header", HUB_CREDENTIALS, false},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].is_code == is_code && is_word(value, words[i].word) && (is_code || response->error == HUB_SILENT))
            response->error = words[i].error;
}

static void take_field(remote_response *response, const char *line, size_t size)
{
    piece value;
    if (is_field(line, size, "Content-Length", &value))
        take_length(response, value);
    else if (is_field(line, size, "Content-Range", &value))
        take_range(response, value);
    else if (is_field(line, size, "Content-Encoding", &value))
        response->encoded |= !is_word(value, "identity") && value.at != value.end;
    else if (is_field(line, size, "ETag", &value))
        keep(response->state.etag, sizeof response->state.etag, value);
    else if (is_field(line, size, "Last-Modified", &value))
        keep_modified(&response->state, value);
    else if (is_field(line, size, "Date", &value))
        response->state.sent = date_number(value);
    else if (is_field(line, size, "X-Repo-Commit", &value))
        keep_commit(response, value);
    else if (is_field(line, size, "X-Error-Code", &value))
        take_error(response, value, true);
    else if (is_field(line, size, "X-Error-Message", &value))
        take_error(response, value, false);
    if (is_field(line, size, "Transfer-Encoding", &value)) {
        response->in_chunks = true;
        response->encoded |= !is_word(value, "chunked") && !is_word(value, "identity");
    }
}

bool response_line(remote_response *response, const char *line, size_t size)
{
    unsigned fields = response->fields + 1;
    size_t bytes = response->bytes + size;
    if (fields > REMOTE_FIELDS_MOST || bytes > REMOTE_FIELDS_BYTES_MOST)
        return false;
    piece rest = {line, line + size};
    uint64_t status = 0;
    if (size > 5 && memcmp(line, "HTTP/", 5) == 0) { /* a second head may follow 100 Continue */
        rest.at = memchr(line, ' ', size);
        bool fine = rest.at != NULL && take(&rest, ' ') && take_number(&rest, &status);
        *response = (remote_response){.status = fine && status < 1000 ? (unsigned)status : 0};
    }
    response->fields = fields;
    response->bytes = bytes;
    response->ended = line[0] == '\r' || line[0] == '\n';
    take_field(response, line, size);
    return true;
}

static remote_problem check_part(const remote_response *response, uint64_t first, uint64_t last)
{
    uint64_t total = response->state.total;
    if (!response->has_range || response->bad_range)
        return REMOTE_RANGE;
    if (!response->has_total)
        return REMOTE_NO_SIZE;
    if (response->first != first || response->last > last || response->last < response->first ||
        response->last >= total)
        return REMOTE_RANGE;
    if (response->has_length && response->length != response->last - response->first + 1)
        return REMOTE_LENGTH;
    return total > SIZE_MOST ? REMOTE_SIZE : REMOTE_FINE;
}

remote_problem response_check(remote_response *response, uint64_t first, uint64_t last)
{
    if (response->encoded)
        return REMOTE_ENCODED;
    if (response->bad_length)
        return REMOTE_LENGTH;
    if (response->status == 206)
        return check_part(response, first, last);
    response->state.total = response->length;
    if (!response->has_length || response->in_chunks)
        return REMOTE_NO_SIZE;
    return response->length > SIZE_MOST ? REMOTE_SIZE : REMOTE_FINE;
}

const char *response_validator(const remote_state *state)
{
    if (state->etag[0] == '"')
        return state->etag;
    return state->written != 0 && state->sent > state->written ? state->modified : NULL;
}

bool response_same_state(const remote_state *left, const remote_state *right)
{
    return left->total == right->total && strcmp(left->etag, right->etag) == 0 &&
           (left->etag[0] == '"' || strcmp(left->modified, right->modified) == 0);
}
