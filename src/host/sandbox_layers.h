/* sandbox_layers.h: the layers that sandbox.c enters. */
#ifndef ASSAY_HOST_SANDBOX_LAYERS_H
#define ASSAY_HOST_SANDBOX_LAYERS_H

#include <stdbool.h>

#include "sandbox.h"

/* No sandbox with a sanitizer, which makes system calls of its own and maps terabytes. */
#if defined(__SANITIZE_ADDRESS__)
#define SANDBOX_POSSIBLE false
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define SANDBOX_POSSIBLE false
#endif
#endif
#ifndef SANDBOX_POSSIBLE
#define SANDBOX_POSSIBLE true
#endif

/* ---- seccomp_filter.c: seccomp, by libseccomp if the program was built with it (ASSAY_SECCOMP) ------------------ */

void filter_make(sandbox_kind kind);
int filter_enter(unsigned *layers); /* errno, or 0 */
unsigned filter_built(void);
const char *filter_describe(void);

/* ---- landlock.c ---------------------------------------------------------------------------------------- */

/* folder: the open folder in which SANDBOX_WRITER may write, or -1. Return errno, or 0, also if the kernel has none. */
int landlock_enter(sandbox_kind kind, int folder, unsigned *layers);
int landlock_version(void);           /* 0: the kernel has none */
unsigned landlock_built(void);

#endif
