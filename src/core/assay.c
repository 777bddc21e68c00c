/* The core as one unit: it ships as the single object file that this makes. */

#include "dtypes.c"
#include "slice.c"
#include "view.c"
