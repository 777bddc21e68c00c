/* hidden_text.c: see hidden_text.h. */
#include "hidden_text.h"

#include <stddef.h>

typedef struct {
    uint32_t first, last;
} range;

/* Unicode 15: Cc, Cf, Zl, Zp, Zs without U+0020, Default_Ignorable_Code_Point, the blanks that are neither
 * (U+2800, U+FFFC), private use; noncharacters are below. */
static const range hidden_ranges[] = {
    {0x00, 0x1F},       {0x7F, 0xA0},        {0xAD, 0xAD},       {0x34F, 0x34F},     {0x600, 0x605},
    {0x61C, 0x61C},     {0x6DD, 0x6DD},      {0x70F, 0x70F},     {0x890, 0x891},     {0x8E2, 0x8E2},
    {0x115F, 0x1160},   {0x1680, 0x1680},    {0x17B4, 0x17B5},   {0x180B, 0x180F},   {0x2000, 0x200F},
    {0x2028, 0x202F},   {0x205F, 0x206F},    {0x2800, 0x2800},   {0x3000, 0x3000},   {0x3164, 0x3164},
    {0xD800, 0xF8FF},   {0xFDD0, 0xFDEF},    {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},
    {0xFFF0, 0xFFFC},   {0x110BD, 0x110BD},  {0x110CD, 0x110CD}, {0x13430, 0x1343F}, {0x1BCA0, 0x1BCA3},
    {0x1D173, 0x1D17A}, {0xE0000, 0x10FFFF},
};

bool text_hidden(uint32_t code)
{
    if (code < 0x80)
        return code < ' ' || code == 0x7F;
    if ((code & 0xFFFE) == 0xFFFE)
        return true;
    for (size_t i = 0; i < sizeof hidden_ranges / sizeof *hidden_ranges && hidden_ranges[i].first <= code; i++)
        if (code <= hidden_ranges[i].last)
            return true;
    return false;
}
