/* work_counter.h: counters of the work that the core does, and what a construct may cost. A part of contracts.h. */
#ifndef ASSAY_WORK_COUNTER_H
#define ASSAY_WORK_COUNTER_H

/*@ ghost
// How often the body of a loop of the core was entered, in all loops. Only assay_spend changes it.
extern uint64_t assay_work;

// Count one iteration. A counter that is full stays so.
/@ terminates \true;
   exits \false;
   assigns assay_work;
   ensures one: assay_work <= \old(assay_work) + 1;
   ensures exact: assay_work == (\old(assay_work) < UINT64_MAX ? \old(assay_work) + 1 : UINT64_MAX);
@/
void assay_spend(void);

// How many passes the sorts of names have made. Only assay_pass changes it.
extern uint64_t assay_passes;

/@ terminates \true;
   exits \false;
   assigns assay_passes;
   ensures one: assay_passes <= \old(assay_passes) + 1;
   ensures exact: assay_passes == (\old(assay_passes) < UINT64_MAX ? \old(assay_passes) + 1 : UINT64_MAX);
@/
void assay_pass(void);
*/

/*@ // The least even number of passes, each of which makes at most half as many runs, that make one of n: two for each
    // power of 4.
    logic integer most_passes(integer n) =
        n <= 1 ? 0 : n <= 4 ? 2 : n <= 16 ? 4 : n <= 64 ? 6 : n <= 256 ? 8 : n <= 1024 ? 10 : n <= 4096 ? 12
        : n <= 16384 ? 14 : n <= 65536 ? 16 : n <= 262144 ? 18 : n <= 1048576 ? 20 : n <= 4194304 ? 22
        : n <= 16777216 ? 24 : 26;

    predicate power_of_four(integer n) =
        n == 1 || n == 4 || n == 16 || n == 64 || n == 256 || n == 1024 || n == 4096 || n == 16384 || n == 65536
        || n == 262144 || n == 1048576 || n == 4194304 || n == 16777216 || n == 67108864;
*/

/*@ // How far a step that began before END has looked.
    logic integer reached(integer step, integer end) = step <= end ? step : end;

    // What a construct of the header may cost that begins at `at` and ends at `step`, or is stopped. Most bytes are
    // looked at once; those of strings that are not plain characters, in blocks of 16.
    logic integer cost(integer at, integer step, integer end) =
        step <= end ? 20 * (step - at) : 20 * (end - at) + 64;
*/

#endif
