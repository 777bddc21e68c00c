/* write_contracts.h: what is proved of the public functions of assay_write.h. */
#ifndef ASSAY_WRITE_CONTRACTS_H
#define ASSAY_WRITE_CONTRACTS_H

#include "contracts.h"
#include "assay_write.h"

#endif
