/* work_counter.c: the counters of the work. */
#include "core.h"

/*@ ghost
void assay_spend(void)
{
    if (assay_work < UINT64_MAX) {
        assay_work = assay_work + 1;
    }
}

void assay_pass(void)
{
    if (assay_passes < UINT64_MAX) {
        assay_passes = assay_passes + 1;
    }
}
*/
