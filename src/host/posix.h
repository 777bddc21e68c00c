/* posix.h: selects the functions of the C library, and names what systems name differently. Include it first, before
 * any system header. */
#ifndef ASSAY_HOST_POSIX_H
#define ASSAY_HOST_POSIX_H

#if defined(__linux__)
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* openat2, Landlock, close_range, getrandom */
#endif
#elif defined(__APPLE__) && !defined(_DARWIN_C_SOURCE)
#define _DARWIN_C_SOURCE /* O_NOFOLLOW, MSG_DONTWAIT; the BSDs hide nothing */
#endif
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64 /* files above 2 GiB on 32-bit systems too */
#endif

/* The times of a struct stat, with nanoseconds. */
#if defined(__APPLE__)
#define MODIFIED(status) ((status)->st_mtimespec)
#define CHANGED(status) ((status)->st_ctimespec)
#else
#define MODIFIED(status) ((status)->st_mtim)
#define CHANGED(status) ((status)->st_ctim)
#endif

#endif
