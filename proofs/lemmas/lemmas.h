/* lemmas.h: the contracts of all lemmas, for the files of the core. A part of core.h. */
#ifndef ASSAY_LEMMAS_H
#define ASSAY_LEMMAS_H

#include "dtype_lemmas.h"
#include "judge_steps.h"
#include "layout_steps.h"
#include "same_text.h"
#include "scan_steps.h"
#include "scan_table.h"
#include "size_steps.h"
#include "slice_steps.h"
#include "string_steps.h"
#include "tensor_steps.h"
#include "view_steps.h"
#include "word_steps.h"

#endif
