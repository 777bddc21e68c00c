/* text_contracts.h: what is proved of the public functions of assay_text.h. */
#ifndef ASSAY_TEXT_CONTRACTS_H
#define ASSAY_TEXT_CONTRACTS_H

#include "contracts.h"
#include "assay_text.h"

/*@ terminates \true;
    exits \false;
    assigns \result \from \nothing;
    ensures text: \valid_read(\result);
*/
const char *assay_version(void);

/*@ terminates \true;
    exits \false;
    assigns \result \from status;
    ensures text: \valid_read(\result);
*/
const char *assay_status_name(assay_status status);

/*@ terminates \true;
    exits \false;
    assigns \result \from status;
    ensures text: \valid_read(\result);
*/
const char *assay_status_rule(assay_status status);

/*@ terminates \true;
    exits \false;
    assigns \result \from status;
    ensures text: \valid_read(\result);
*/
const char *assay_status_text(assay_status status);

/*@ terminates \true;
    exits \false;
    assigns \result \from dtype;
    ensures text: \valid_read(\result);
*/
const char *assay_dtype_name(uint64_t dtype);

/*@ requires name: \valid_read(name + (0 .. size - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures known: \result <= ASSAY_DTYPE_LAST;
*/
uint64_t assay_dtype_parse(const char *name, uint64_t size);

/*@ requires buffer: \valid(buffer + (0 .. size - 1));
    requires error: \valid_read(error) && \separated(error, buffer + (0 .. size - 1));
    terminates \true;
    exits \false;
    assigns buffer[0 .. size - 1];
    ensures length: \result < ASSAY_ERROR_TEXT;
*/
uint64_t assay_error_format(char *buffer, uint64_t size, const assay_error *error);

/*@ requires view: valid_view(view);
    requires buffer: \valid(buffer + (0 .. size - 1)) && \separated(buffer + (0 .. size - 1), view);
    requires apart: \separated(buffer + (0 .. size - 1), view->head + (0 .. view->data_begin - 1)) &&
        \separated(buffer + (0 .. size - 1), view->entry + (0 .. view->tensors - 1));
    terminates \true;
    exits \false;
    assigns buffer[0 .. size - 1], assay_work;
*/
uint64_t assay_text_utf8(const assay_view *view, assay_text text, char *buffer, uint64_t size);

#endif
