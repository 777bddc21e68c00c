/* document.c: read a document from bytes with the model, and write it. */
#include "document.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "random_source.h"
#include "spec_model.h"

/* ---- Reading ------------------------------------------------------------------------------------------ */

static raw_text raw_at(const uint8_t *head, const spec_text *text)
{
    raw_text raw = {.size = 0};
    uint64_t size = text->end - text->at;
    if (size <= RAW) { /* a longer text could be cut inside an escape */
        memcpy(raw.byte, head + text->at, (size_t)size);
        raw.size = (uint8_t)size;
    }
    return raw;
}

static doc_tensor tensor_at(const uint8_t *head, const spec_tensor *parsed)
{
    doc_tensor tensor = {.name = raw_at(head, &parsed->name), .dtype = parsed->dtype - 1};
    tensor.begin = parsed->begin;
    tensor.end = parsed->end;
    tensor.rank = parsed->rank < RANK ? parsed->rank : RANK;
    for (uint64_t k = 0; k < tensor.rank; k++) {
        tensor.dim[k] = parsed->dim[k];
    }
    tensor.order = (uint8_t)random_below(6);
    return tensor;
}

void document_read(document *doc, const uint8_t *head, size_t size)
{
    static spec_model parsed;
    /* The arrays are written before they are read. */
    memset(&doc->tensors, 0, sizeof *doc - offsetof(document, tensors));
    spec_judge(&parsed, head, size, UINT64_MAX, NULL);
    doc->tensors = parsed.tensors <= READ ? (size_t)parsed.tensors : FIRST;
    doc->pairs = parsed.pairs < PAIRS ? (size_t)parsed.pairs : PAIRS;
    for (size_t i = 0; i < doc->tensors; i++) {
        doc->tensor[i] = tensor_at(head, &parsed.tensor[i]);
    }
    for (size_t i = 0; i < doc->pairs; i++) {
        doc->pair[i].key = raw_at(head, &parsed.pair[i].key);
        doc->pair[i].value = raw_at(head, &parsed.pair[i].value);
    }
    doc->metadata = parsed.metadata;
    doc->metadata_place = (size_t)random_below(doc->tensors + 1);
}

/* ---- Writing ------------------------------------------------------------------------------------------ */

static struct {
    uint8_t *at;
    size_t size, room;
    bool spaces;
} out;

static void put(const void *bytes, size_t size)
{
    if (size <= out.room && out.size <= out.room - size) {
        memcpy(out.at + out.size, bytes, size);
    }
    out.size = size < SIZE_MAX / 4 - out.size ? out.size + size : SIZE_MAX / 4;
}

static void put_text(const char *text)
{
    put(text, strlen(text));
}

/* Write white space, or none. */
static void gap(void)
{
    if (out.spaces && one_in(3)) {
        put(&" \t\n\r"[random_below(4)], 1);
    }
}

/* Write a token: punctuation or a word. */
static void token(const char *text)
{
    gap();
    put_text(text);
    gap();
}

static void put_string(const raw_text *raw)
{
    gap();
    put_text("\"");
    put(raw->byte, raw->size);
    put_text("\"");
}

/* Write a number, or a wrong form of it: % in a form is the number. */
static void put_number(uint64_t number, bool wrong)
{
    static const char *const forms[] = {"0%", "-%", "%.0", "%e1", "%0000000000", "18446744073709551616", "null", "[%]"};
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, number);
    gap();
    for (const char *form = wrong ? forms[random_below(8)] : "%"; *form != '\0'; form++) {
        if (*form == '%') {
            put_text(digits);
        } else {
            put(form, 1);
        }
    }
}

static void put_dtype(const doc_tensor *t)
{
    static const char *const strange[] = {"\"F33\"", "\"\"", "\"f32\"", "\"F32 \"", "\"F8_E4M3FN\"",
                                          "null",      "{\"U8\":null}", "\"F9_E4M3FNUZ\""};
    token(t->wrong == ESCAPED && one_in(2) ? "\"dt\\u0079pe\"" : "\"dtype\"");
    token(":");
    if (t->wrong == STRANGE) {
        put_text(strange[random_below(sizeof strange / sizeof *strange)]);
    } else if (t->wrong == ESCAPED) {
        put_text("\"U\\u0038\"");
    } else {
        put_text("\"");
        put_text(spec_dtypes[t->dtype].name);
        put_text("\"");
    }
}

static void put_shape(const doc_tensor *t)
{
    token("\"shape\"");
    token(":");
    if (t->wrong == WRONG_TYPE) {
        put_text("{}");
        return;
    }
    token("[");
    for (uint64_t k = 0; k < t->rank; k++) {
        if (k > 0) {
            token(",");
        }
        put_number(t->dim[k], t->wrong == FORM && one_in(2));
    }
    token("]");
}

static void put_offsets(const doc_tensor *t)
{
    bool wrong = t->wrong == OFFSET_COUNT, three = one_in(2);
    token("\"data_offsets\"");
    token(":");
    token("[");
    put_number(t->begin, t->wrong == FORM && one_in(2));
    if (!wrong || three) {
        token(",");
        put_number(t->end, t->wrong == FORM && one_in(4));
    }
    if (wrong && three) {
        token(",");
        put_number(t->end, false);
    }
    token("]");
}

static void put_member(const doc_tensor *t, unsigned which)
{
    void (*const member[])(const doc_tensor *) = {put_dtype, put_shape, put_offsets};
    member[which](t);
}

static void put_unknown(void)
{
    static const char *const members[] = {",\"extra\":[{\"a\":1}]", ",\"\":0",          ",\"dtyp\":0",
                                          ",\"dtype\\u00e9\":0",     ",\"shape\xC3\xA9\":0", ",\"data_offsets1\":0"};
    put_text(members[random_below(sizeof members / sizeof *members)]);
}

static void put_tensor(const doc_tensor *t)
{
    static const uint8_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    unsigned members = t->wrong == MISSING ? 2 : 3;
    put_string(&t->name);
    token(":");
    token("{");
    for (unsigned k = 0; k < members; k++) {
        if (k > 0) {
            token(",");
        }
        put_member(t, orders[t->order % 6][k]);
    }
    if (t->wrong == TWICE) {
        token(",");
        put_member(t, orders[t->order % 6][random_below(3)]);
    }
    if (t->wrong == UNKNOWN) {
        put_unknown();
    }
    token("}");
}

static void put_metadata(const document *doc)
{
    token(one_in(64) ? "\"__metadata_\\u005f\"" : "\"__metadata__\"");
    token(":");
    token("{");
    for (size_t i = 0; i < doc->pairs; i++) {
        if (i > 0) {
            token(",");
        }
        put_string(&doc->pair[i].key);
        token(":");
        put_string(&doc->pair[i].value);
    }
    token("}");
}

static void put_root(const document *doc)
{
    const char *comma = "";
    put_text("{");
    for (size_t i = 0; i <= doc->tensors; i++) {
        if (doc->metadata && i == doc->metadata_place) {
            token(comma);
            put_metadata(doc);
            comma = ",";
        }
        if (i < doc->tensors) {
            token(comma);
            put_tensor(&doc->tensor[i]);
            comma = ",";
        }
    }
    token("");
    put_text("}");
}

size_t document_write(const document *doc, uint8_t *to, size_t room)
{
    out.at = to;
    out.size = 8;
    out.room = room;
    out.spaces = doc->spaces;
    put_root(doc);
    for (unsigned i = 0; i < doc->padding; i++) {
        put_text(" ");
    }
    if (doc->bad_end) {
        put(&"\t\n}{0"[random_below(6)], 1);
    }
    if (out.size > room || room < 8) {
        return 0;
    }
    uint64_t length = out.size - 8 + (uint64_t)(int64_t)doc->length_off;
    for (int k = 0; k < 8; k++) {
        to[k] = (uint8_t)(length >> 8 * k);
    }
    return out.size;
}

uint64_t document_data(const document *doc)
{
    uint64_t last = 0;
    for (size_t i = 0; i < doc->tensors; i++) {
        last = doc->tensor[i].end > last ? doc->tensor[i].end : last;
    }
    return last;
}

bool document_bits(const doc_tensor *tensor, uint64_t *bits)
{
    unsigned __int128 product = spec_dtypes[tensor->dtype].bits;
    bool empty = false;
    for (uint64_t k = 0; k < tensor->rank; k++) {
        empty |= tensor->dim[k] == 0;
        product *= tensor->dim[k] == 0 ? 1 : tensor->dim[k];
        if (product > UINT64_MAX) {
            return false;
        }
    }
    *bits = empty ? 0 : (uint64_t)product;
    return true;
}
