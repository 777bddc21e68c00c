/* summary.c: see summary.h. */
#include "summary.h"

#include <inttypes.h>

#include "rules_table.h"

void summary_rule(summary *to, uint32_t code)
{
    to->rule[code & 127u]++;
}

void summary_record(summary *to, unsigned mark)
{
    to->records[mark == POOL_VALID     ? SUMMARY_VALID
                : mark == POOL_INVALID ? SUMMARY_INVALID
                : mark == POOL_REFUSED ? SUMMARY_REFUSED
                : mark == POOL_NOTE    ? SUMMARY_NOTE
                                       : SUMMARY_ERROR]++;
}

int summary_status(const summary *of)
{
    return of->records[SUMMARY_INVALID] > 0   ? EXIT_INVALID
           : of->records[SUMMARY_ERROR] > 0   ? EXIT_ERROR
           : of->records[SUMMARY_REFUSED] > 0 ? EXIT_REFUSED
                                              : EXIT_VALID;
}

void summary_print(const summary *of, const host_fetch *cost, const command_line *line)
{
    FILE *file = line->format == FORMAT_TEXT || line->quiet ? stdout : stderr;
    fprintf(file, "summary: %" PRIu64 " valid, %" PRIu64 " invalid, %" PRIu64 " refused, %" PRIu64 " not judged\n",
            of->records[SUMMARY_VALID], of->records[SUMMARY_INVALID], of->records[SUMMARY_REFUSED],
            of->records[SUMMARY_ERROR]);
    if (cost->requests > 0)
        fprintf(file, "summary: %" PRIu64 " bytes fetched in %" PRIu32 " requests\n", cost->bytes, cost->requests);
    for (uint32_t i = 0; i < rules_table_count; i++) {
        const rule_row *row = &rules_table[i];
        if (of->rule[row->code] > 0)
            fprintf(file, "summary: %8" PRIu64 "  %-4s %s: %s\n", of->rule[row->code], row->id, row->name, row->title);
    }
}
