/* exports.h: compiled before each source, with hidden symbols: what the library shows is the flat interface alone, so
 * that it can't meet another library with these names. */
#include "native/assay.h"
#if defined __GNUC__ && !defined _WIN32
#pragma GCC visibility push(default)
#endif
#include "native/assay_flat.h"
#include "native/assay_index.h"
#include "native/assay_notes.h"
#include "native/assay_flat_write.h"
#if defined __GNUC__ && !defined _WIN32
#pragma GCC visibility pop
#endif
