/* modelspec_check.c: see modelspec.h. */
#include "modelspec.h"

#include <string.h>

#include "modelspec_table.h"
#include "modelspec_values.h"

#define PREFIX "modelspec."
#define KEY_MOST 48u /* bytes: more than any key of the table has */
#define ROWS (sizeof key_rows / sizeof *key_rows)

/* ---- Findings --------------------------------------------------------------------------------------------- */

static modelspec_finding *add(modelspec_report *to, modelspec_rule rule, modelspec_level level)
{
    modelspec_finding *one = &to->finding[to->findings];
    to->levels[level]++;
    if (to->findings < MODELSPEC_FINDINGS_MOST)
        to->findings++;
    else
        to->left++;
    *one = (modelspec_finding){.rule = rule, .level = level};
    return one;
}

static modelspec_finding *add_key(modelspec_report *to, modelspec_rule rule, modelspec_level level, const char *key,
                    const char *detail, assay_text value)
{
    modelspec_finding *one = add(to, rule, level);
    one->key = key;
    one->detail = detail;
    one->value = value;
    return one;
}

static const assay_text nothing = {0, 0};

/* ---- Keys ------------------------------------------------------------------------------------------------- */

/* Find the value of a key of the table. */
static bool find(const assay_view *view, const char *key, assay_text *value)
{
    char whole[sizeof PREFIX + KEY_MOST] = PREFIX;
    strcat(whole, key);
    return assay_metadata_find(view, (const uint8_t *)whole, strlen(whole), value);
}

static bool is_wildcard(const key_row *row)
{
    return row->key[strlen(row->key) - 1] == '_';
}

/* Return the row of a key without its prefix, or NULL. */
static const key_row *row_of(const char *key)
{
    for (size_t i = 0; i < ROWS; i++) {
        const key_row *row = &key_rows[i];
        size_t size = strlen(row->key);
        if (is_wildcard(row) ? strncmp(row->key, key, size) == 0 && key[size] != '\0' : strcmp(row->key, key) == 0)
            return row;
    }
    return NULL;
}

static bool is_empty(assay_text text)
{
    return text.at == text.end;
}

/* ---- Categories ------------------------------------------------------------------------------------------- */

static modelspec_category category_of(const assay_view *view, const short_text *architecture)
{
    assay_text value;
    for (size_t i = 0; i < sizeof id_rows / sizeof *id_rows; i++)
        if (strncmp(architecture->text, id_rows[i].prefix, strlen(id_rows[i].prefix)) == 0)
            return id_rows[i].category;
    return find(view, "data_format", &value) ? MODELSPEC_TEXT : MODELSPEC_ALL;
}

/* ---- Values ----------------------------------------------------------------------------------------------- */

typedef struct {
    const assay_view *view;
    modelspec_report *report;
    short_text architecture;
} checking;

static bool is_word(const short_text *value, const char *one, const char *other)
{
    return strcmp(value->text, one) == 0 || strcmp(value->text, other) == 0;
}

/* Does a value fit its pattern? A value that is longer than any that fits does not. */
static bool fits(const checking *at, key_pattern pattern, const char *key, const short_text *value)
{
    if (pattern == PATTERN_ANY)
        return true;
    if (pattern == PATTERN_TEXT)
        return value->size > 0;
    if (!value->whole)
        return false;
    switch (pattern) {
    case PATTERN_VERSION:
        return value_is_version(value->text);
    case PATTERN_RESOLUTION:
        return value_is_resolution(value->text);
    case PATTERN_DATE:
        return value_is_date(value->text);
    case PATTERN_HASH:
        return value_is_hash(value->text, key + strlen("hash_"));
    case PATTERN_RANGE:
        return value_is_range(value->text);
    case PATTERN_INTEGER:
        return value_is_integer(value->text);
    case PATTERN_BOOLEAN:
        return is_word(value, "true", "false");
    case PATTERN_DTYPES:
        return value_is_dtypes(value->text);
    case PATTERN_PREDICTION:
        return is_word(value, "v", "epsilon") ||
               strncmp(at->architecture.text, "stable-diffusion", strlen("stable-diffusion")) != 0;
    default:
        return true;
    }
}

/* Check the value of a key. name: of the key in the header, if the row is for many keys. */
static void check_value(const checking *at, const key_row *row, const char *key, assay_text name, assay_text value)
{
    const char *detail = NULL;
    short_text text = short_text_of(at->view, value);
    bool fine = row->pattern == PATTERN_THUMBNAIL ? (detail = value_thumbnail(at->view, value)) == NULL
                                                  : fits(at, row->pattern, key, &text);
    if (fine)
        return;
    if (is_empty(value))
        detail = "empty";
    else if (row->pattern == PATTERN_DATE && text.hyphen)
        detail = "not a date of ISO 8601: its hyphens are not ASCII (U+002D), but look like it";
    bool shown = row->pattern != PATTERN_THUMBNAIL && !is_empty(value);
    add_key(at->report, row->rule, modelspec_rules[row->rule].level, is_wildcard(row) ? NULL : row->key, detail,
            shown ? value : nothing)
        ->name = name;
}

/* Report a key that is missing, if it should be there. */
static void check_missing(const checking *at, const key_row *row)
{
    modelspec_category category = at->report->category;
    bool must = row->class == CLASS_MUST, component = strchr(at->architecture.text, '/') != NULL;
    if (row->class == CLASS_CAN || (row->category == MODELSPEC_TEXT && category != MODELSPEC_TEXT) ||
        (row->category == MODELSPEC_IMAGE && (category == MODELSPEC_TEXT || component)))
        return;
    bool known = row->category == MODELSPEC_ALL || row->category == category;
    add_key(at->report, must ? row->rule : MODELSPEC_MS7, must && known ? MODELSPEC_ERROR : MODELSPEC_INFO, row->key,
            "missing", nothing);
}

/* Check the version. Return false if the specification is another one, whose keys are unknown. */
static bool check_version(const checking *at)
{
    assay_text value;
    if (!find(at->view, "sai_model_spec", &value))
        return true; /* it is missing: see check_missing */
    short_text text = short_text_of(at->view, value);
    if (!text.whole || !value_is_version(text.text) || strncmp(text.text, "1.", 2) == 0)
        return true; /* of version 1, or malformed: see check_value */
    add_key(at->report, MODELSPEC_MS1, MODELSPEC_ERROR, "sai_model_spec",
            "another major version, whose rules are unknown: nothing else was checked", value);
    return false;
}

/* ---- All -------------------------------------------------------------------------------------------------- */

static void check_rows(const checking *at)
{
    assay_text value;
    for (size_t i = 0; i < ROWS; i++) {
        if (is_wildcard(&key_rows[i]))
            continue;
        if (find(at->view, key_rows[i].key, &value))
            check_value(at, &key_rows[i], key_rows[i].key, nothing, value);
        else if (at->report->present)
            check_missing(at, &key_rows[i]);
    }
}

/* Check keys that the table does not list: hash_ALGORITHM, unknown ones, and those without the prefix. */
static void check_others(const checking *at)
{
    assay_text key, value;
    for (uint64_t i = 0; assay_metadata_at(at->view, i, &key, &value); i++) {
        short_text name = short_text_of(at->view, key);
        bool prefixed = strncmp(name.text, PREFIX, strlen(PREFIX)) == 0;
        const char *rest = prefixed ? name.text + strlen(PREFIX) : name.text;
        const key_row *row = name.whole ? row_of(rest) : NULL;
        if (prefixed && row != NULL && is_wildcard(row))
            check_value(at, row, rest, key, value);
        else if (prefixed && row == NULL)
            add(at->report, MODELSPEC_MS17, MODELSPEC_INFO)->name = key;
        else if (!prefixed && row != NULL && !is_wildcard(row))
            add(at->report, MODELSPEC_MS18, MODELSPEC_INFO)->name = key;
    }
}

static bool has_prefix(const assay_view *view)
{
    assay_text key, value;
    for (uint64_t i = 0; assay_metadata_at(view, i, &key, &value); i++) {
        short_text name = short_text_of(view, key);
        if (strncmp(name.text, PREFIX, strlen(PREFIX)) == 0)
            return true;
    }
    return false;
}

/* Keep the digits of hash_sha256, in whatever form they are. */
static void keep_hash(const assay_view *view, modelspec_report *report)
{
    assay_text value;
    if (!find(view, "hash_sha256", &value))
        return;
    short_text text = short_text_of(view, value);
    const char *from = text.text + (text.text[0] == '0' && (text.text[1] | 0x20) == 'x' ? 2 : 0);
    report->has_sha256 = text.whole && strlen(from) == MODELSPEC_DIGITS &&
                         strspn(from, "0123456789abcdefABCDEF") == MODELSPEC_DIGITS;
    for (size_t i = 0; report->has_sha256 && i < MODELSPEC_DIGITS; i++)
        report->sha256[i] = (char)(from[i] >= 'A' && from[i] <= 'F' ? from[i] | 0x20 : from[i]);
}

void modelspec_check(const assay_view *view, modelspec_report *report)
{
    checking at = {.view = view, .report = report};
    *report = (modelspec_report){.present = has_prefix(view)};
    if (!find(view, "sai_model_spec", &report->version))
        report->version = nothing;
    if (!find(view, "title", &report->title))
        report->title = nothing;
    if (find(view, "architecture", &report->architecture))
        at.architecture = short_text_of(view, report->architecture);
    else
        report->architecture = nothing;
    report->category = category_of(view, &at.architecture);
    if (!check_version(&at))
        return;
    keep_hash(view, report);
    check_rows(&at);
    check_others(&at);
}

void modelspec_wrong_hash(const assay_view *view, modelspec_report *report, const char *detail)
{
    assay_text value;
    if (find(view, "hash_sha256", &value))
        add_key(report, MODELSPEC_MS10, MODELSPEC_ERROR, "hash_sha256", detail, value);
}

bool modelspec_conforms(const modelspec_report *report)
{
    return report->present && report->levels[MODELSPEC_ERROR] == 0;
}
