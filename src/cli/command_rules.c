/* command_rules.c: assay rules. */
#include <stdlib.h>
#include <string.h>

#include "assay_text.h"
#include "assay_write.h"
#include "cli.h"
#include "rules_table.h"
#include "json_text.h"
#include "modelspec_rules.h"

static bool same_letters(const char *left, const char *right)
{
    for (; *left != '\0' && *right != '\0'; left++, right++) {
        char a = *left, b = *right;
        a = (char)(a >= 'A' && a <= 'Z' ? a + 32 : a);
        b = (char)(b >= 'A' && b <= 'Z' ? b + 32 : b);
        if (a != b)
            return false;
    }
    return *left == *right;
}

/* The rules of the writer: name, advice. */
static const char *const write_rules[][2] = {
    {"write_utf8", "give each name, key and value as Unicode text"},
    {"write_nul", "leave the NUL out: many programs end a text there"},
    {"write_reserved", "give the tensor another name"},
    {"write_twice", "give one of the two another name or key"},
    {"write_tensor", "name a dtype of `spec/dtypes.tsv`, and check the shape"},
    {"write_data_large", "write several files and an index"},
    {"write_header_large", "write several files and an index, or less metadata"},
    {"write_buffer", "give the buffer the size that assay_head_size returned"},
    {"write_differs", "this is a bug in assay, or the memory changed: please report it"},
};
#define WRITE_RULES (uint32_t)(sizeof write_rules / sizeof *write_rules)

static uint32_t rule_count(void)
{
    return rules_table_count + MODELSPEC_RULES + WRITE_RULES;
}

/* Return rule number index: those of ModelSpec, which have no code, come after the table, those of the writer last. */
static rule_row rule_at(uint32_t index)
{
    static const char *const severities[] = {"error", "warning", "info"};
    if (index < rules_table_count)
        return rules_table[index];
    if (index >= rules_table_count + MODELSPEC_RULES) {
        uint32_t i = index - rules_table_count - MODELSPEC_RULES, code = ASSAY_W_UTF8 + i;
        return (rule_row){.code = code, .id = assay_status_rule(code), .name = write_rules[i][0],
                          .title = assay_status_text(code), .severity = severities[0], .advice = write_rules[i][1]};
    }
    const modelspec_rule_row *row = &modelspec_rules[1 + (index - rules_table_count)];
    return (rule_row){.id = row->id, .name = row->name, .title = row->title, .statement = row->statement,
                      .severity = severities[row->level], .advice = row->advice};
}

/* Set code to the digits of the code of a rule, or to "" if it has none. */
static void set_code(char code[16], const rule_row *row)
{
    snprintf(code, 16, "%u", (unsigned)row->code);
    if (row->code == 0)
        code[0] = '\0';
}

/* A rule is known by its id (G4), its name (overlap) and its code (61). Return rule_count() if there is none. */
static uint32_t find(const char *word)
{
    char code[16];
    uint32_t i = 0;
    for (; i < rule_count(); i++) {
        const rule_row row = rule_at(i);
        set_code(code, &row);
        if (same_letters(word, row.id) || same_letters(word, row.name) || (*word != '\0' && strcmp(word, code) == 0))
            break;
    }
    return i;
}

static void print_member(const char *label, const char *text)
{
    if (text != NULL)
        printf("%-10s %s\n", label, text);
}

static void print_rule(const rule_row *row)
{
    char code[16];
    set_code(code, row);
    printf("%-10s %s%s%s, %s\n", "id", row->id, *code != '\0' ? ", code " : "", code, row->name);
    print_member("means", row->title);
    print_member("rule", row->statement);
    print_member("offset", row->offset);
    print_member("expected", row->expected);
    print_member("found", row->found);
    print_member("reason", row->reason);
    print_member("reference", row->reference);
    print_member("severity", row->severity);
    print_member("weakness", row->cwe);
    print_member("advice", row->advice);
}

static void print_table(void)
{
    char code[16];
    printf("%-4s  %4s  %-18s  %s\n", "RULE", "CODE", "NAME", "MEANS");
    for (uint32_t i = 0; i < rule_count(); i++) {
        const rule_row row = rule_at(i);
        set_code(code, &row);
        printf("%-4s  %4s  %-18s  %s\n", row.id, *code != '\0' ? code : "-", row.name, row.title);
    }
}

static void print_json(json_writer *to, const rule_row *row)
{
    json_open(to, '{');
    json_member_word(to, "id", row->id);
    json_member_number(to, "code", row->code != 0, row->code);
    json_member_text(to, "name", row->name);
    json_member_text(to, "severity", row->severity);
    json_member_text(to, "cwe", row->cwe);
    json_member_text(to, "title", row->title);
    json_member_text(to, "statement", row->statement);
    json_member_text(to, "offset", row->offset);
    json_member_text(to, "expected", row->expected);
    json_member_text(to, "found", row->found);
    json_member_text(to, "reason", row->reason);
    json_member_text(to, "reference", row->reference);
    json_member_text(to, "advice", row->advice);
    json_close(to, '}');
}

static void print_json_table(void)
{
    json_writer to = json_begin(stdout);
    json_open(&to, '[');
    for (uint32_t i = 0; i < rule_count(); i++) {
        const rule_row row = rule_at(i);
        json_line(&to);
        print_json(&to, &row);
    }
    putchar('\n');
    json_close(&to, ']');
    putchar('\n');
}

int command_rules(const command_line *line)
{
    bool json = line->format == FORMAT_JSON;
    if (line->operands == 0) {
        json ? print_json_table() : print_table();
        return EXIT_VALID;
    }
    const uint32_t index = find(line->operand[0]);
    if (index == rule_count()) {
        usage_error(NULL, "no such rule (`assay rules` lists them)", line->operand[0]);
        return EXIT_ERROR;
    }
    const rule_row row = rule_at(index);
    if (json) {
        json_writer to = json_begin(stdout);
        print_json(&to, &row);
        putchar('\n');
    } else {
        print_rule(&row);
    }
    return EXIT_VALID;
}
