/* report.c: see report.h. */
#include "report.h"

const report_format *report_format_of(const command_line *line)
{
    switch (line->format) {
    case FORMAT_JSON:
    case FORMAT_JSONL:
        return &json_format;
    case FORMAT_SARIF:
        return &sarif_format;
    case FORMAT_JUNIT:
        return &junit_format;
    case FORMAT_TEXT:
        break;
    }
    return &text_format;
}
