/* command_rules.c: assay rules. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "rules_table.h"
#include "json_text.h"

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

/* A rule is known by its id (G4), its name (overlap) and its code (61). */
static const rule_row *find(const char *word)
{
    char code[16];
    for (uint32_t i = 0; i < rules_table_count; i++) {
        snprintf(code, sizeof code, "%u", (unsigned)rules_table[i].code);
        if (same_letters(word, rules_table[i].id) || same_letters(word, rules_table[i].name) ||
            strcmp(word, code) == 0)
            return &rules_table[i];
    }
    return NULL;
}

static void print_member(const char *label, const char *text)
{
    if (text != NULL)
        printf("%-10s %s\n", label, text);
}

static void print_rule(const rule_row *row)
{
    printf("%-10s %s, code %u, %s\n", "id", row->id, (unsigned)row->code, row->name);
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
    printf("%-4s  %4s  %-18s  %s\n", "RULE", "CODE", "NAME", "MEANS");
    for (uint32_t i = 0; i < rules_table_count; i++) {
        const rule_row *row = &rules_table[i];
        printf("%-4s  %4u  %-18s  %s\n", row->id, (unsigned)row->code, row->name, row->title);
    }
}

static void print_json(json_writer *to, const rule_row *row)
{
    json_open(to, '{');
    json_member_word(to, "id", row->id);
    json_member_number(to, "code", true, row->code);
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
    for (uint32_t i = 0; i < rules_table_count; i++) {
        json_line(&to);
        print_json(&to, &rules_table[i]);
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
    const rule_row *row = find(line->operand[0]);
    if (row == NULL) {
        usage_error(NULL, "no such rule (`assay rules` lists them)", line->operand[0]);
        return EXIT_ERROR;
    }
    if (json) {
        json_writer to = json_begin(stdout);
        print_json(&to, row);
        putchar('\n');
    } else {
        print_rule(row);
    }
    return EXIT_VALID;
}
