/* What the core's files share: its types of steps, its constants, and what each part promises the others (below).
 * Nothing here is public. */
#ifndef ASSAY_CORE_H
#define ASSAY_CORE_H

#include "assay.h"
#include "contracts.h"

#ifdef __FRAMAC__
#include "text.acsl"
#include "fields.acsl"
#include "head.acsl"
#include "file.acsl"
#include "view.acsl"
#endif

/* A step through the header: where the construct ends (below 2^32), or the rule or limit that stops it and the
 * offset: status * 2^32 + offset. One number, so that code and specification can be compared by one equality. */
typedef uint64_t assay_step;

#define ASSAY_STOPPED 4294967296u
#define ASSAY_STOP(status, offset) ((uint64_t)(status) * 4294967296u + (offset))

#define ASSAY_HEADER_MAX 100000000u                    /* the format's limit on N */
#define ASSAY_END_MAX (8u + ASSAY_HEADER_MAX)          /* so every offset into the head fits 32 bits */
#define ASSAY_TENSORS_MAX 16777216u                    /* more do not fit into a header */
#define ASSAY_WORD_LONG 13u                            /* the length of an assay_word that is too long to be known */
#define ASSAY_ENTRY_HIGH UINT64_C(4294967296)          /* upper half of a packed entry field: 2^32 */
#define ASSAY_ENTRY_PLAIN UINT64_C(9223372036854775808) /* 2^63: the name has no escape */
#define ASSAY_ENTRY_DTYPE UINT64_C(576460752303423488) /* 2^59 */

#include "text.h"
#ifdef __FRAMAC__
#include "text_steps.h"
#endif
#include "lexer.h"
#include "header.h"
#include "names.h"
#include "judge.h"

#ifdef __FRAMAC__
#include "lemmas.h"
#endif

#endif
