/* posix.h: which functions of the system the host files use. Included first, before any system header. */
#ifndef ASSAY_HOST_POSIX_H
#define ASSAY_HOST_POSIX_H

#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64 /* files above 2 GiB on 32-bit systems too */

#endif
