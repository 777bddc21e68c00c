/* posix.h: which functions of the system the host files use. Included first, before any system header. */
#ifndef ASSAY_HOST_POSIX_H
#define ASSAY_HOST_POSIX_H

#if defined(__linux__)
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* what keeps strangers in: openat2, Landlock, close_range; and getrandom */
#endif
#else
#define _POSIX_C_SOURCE 200809L
#endif
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64 /* files above 2 GiB on 32-bit systems too */
#endif

#endif
