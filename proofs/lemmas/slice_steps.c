/* slice_steps.c: why the runs of a slice have the bits of its elements. Ghost functions, no code. */
#include "core.h"

/* Unfolds: row_index, index_taken, index_reached, bits_of, laid_out, adjacent. */

/* n * s for n below d. */
/*@ ghost
  /@ terminates \true;
     exits \false;
     assigns \nothing;
     ensures less: n < d ==> n * s + s <= d * s;
     ensures order: n <= d ==> 0 <= n * s <= d * s;
  @/
  void runs_less(uint64_t n, uint64_t d, uint64_t s)
  {
      /@ assert sum: n * s + s == (n + 1) * s; @/
  }
*/

/* Quotient and remainder. */
/*@ ghost
  /@ requires split: x == q * s + t && t < s;
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures quotient: x / s == q;
     ensures rest: x % s == t;
  @/
  void runs_divide(uint64_t x, uint64_t q, uint64_t s, uint64_t t)
  {
      runs_less(q, x / s, s);
      runs_less(x / s, q, s);
  }
*/

/* The index of x on an axis of d rows, which divide r bits into s each, and what is left. */
/*@ ghost
  /@ requires rows: 1 <= s && 1 <= d && r == d * s;
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures split: x % r == (x % r) / s * s + x % s;
     ensures rest: 0 <= x % s < s;
     ensures index: 0 <= (x % r) / s < d;
  @/
  void runs_index(uint64_t x, uint64_t r, uint64_t s, uint64_t d)
  {
      uint64_t q = x / r;
      uint64_t rest = x % r;
      uint64_t i = rest / s;
      uint64_t t = rest % s;
      /@ assert whole: x == q * r + rest; @/
      /@ assert part: rest == i * s + t && t < s; @/
      /@ assert swap: q * r == (q * d) * s; @/
      runs_less(q, q, d);
      /@ assert sum: x == (q * d + i) * s + t; @/
      runs_less(d, i, s);
      runs_less(1, s, q * d);
      runs_divide(x, (uint64_t)(q * d + i), s, t);
  }
*/

/* The same, if row c holds bit t of it. */
/*@ ghost
  /@ requires rows: 1 <= s && 1 <= d && r == d * s;
     requires split: x % r == c * s + t && t < s;
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures index: (x % r) / s == c;
     ensures rest: x % s == t;
  @/
  void runs_part(uint64_t x, uint64_t r, uint64_t s, uint64_t d, uint64_t c, uint64_t t)
  {
      runs_index(x, r, s, d);
      runs_divide((uint64_t)(x % r), c, s, t);
  }
*/

/* Multiples of s. */
/*@ ghost
  /@ requires step: 1 <= s;
     requires multiples: p % s == 0 && q % s == 0;
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures next: p < q ==> p + s <= q;
  @/
  void runs_multiple(uint64_t p, uint64_t q, uint64_t s)
  {
      /@ assert p: p == p / s * s; @/
      /@ assert q: q == q / s * s; @/
      runs_less(p / s, q / s, s);
      runs_less(q / s, p / s, s);
  }
*/

/* The bits of a row when k axes have divided. */
/*@ ghost
  /@ requires in: \valid_read(axis + (0 .. k - 1));
     requires walks: axes_walk(axis, k, size);
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures row: \result == row_bits(axis, k, size);
  @/
  uint64_t runs_row(const assay_axis *axis, uint64_t k, uint64_t size)
  {
      uint64_t row = size;
      uint64_t j = 0;
      /@ loop invariant bounds: 0 <= j <= k;
         loop invariant row: row == row_bits(axis, j, size);
         loop assigns j, row;
         loop variant k - j;
      @/
      while (j < k) {
          /@ assert walks: axis_walks(axis, j, size); @/
          row /= axis[j].dim;
          j++;
      }
      return row;
  }
*/

/* One axis of s bits a row: the walk is at element e of it, f bits into its row; runs begin `low` bits into their
 * rows; bit x lies t bits into its row, which is row i. */
/*@ ghost
  /@ requires in: \valid_read(axis + k);
     requires walks: axis_walks(axis, k, size);
     requires row: s == row_bits(axis, k + 1, size);
     requires takes: axis_takes(axis, k, i);
     requires bit: r == i * s + t && t < s;
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures low: axis[k].start * s + t <= r;
     ensures same: r == axis[k].start * s + axis[k].gone + t || r < axis[k].start * s + axis[k].gone ||
         axis[k].start * s + axis[k].gone + s <= r;
     ensures next: axis[k].gone + axis[k].jump < axis[k].span ==>
         r == axis[k].start * s + axis[k].gone + t || r < axis[k].start * s + axis[k].gone ||
         axis[k].start * s + axis[k].gone + axis[k].jump + t <= r;
     ensures last: axis[k].gone + axis[k].jump >= axis[k].span ==>
         r == axis[k].start * s + axis[k].gone + t || r < axis[k].start * s + axis[k].gone;
  @/
  void runs_axis(const assay_axis *axis, uint64_t k, uint64_t size, uint64_t s, uint64_t i, uint64_t r, uint64_t t)
  {
      uint64_t start = axis[k].start;
      uint64_t width = axis[k].stop - axis[k].start;
      uint64_t step = axis[k].step;
      uint64_t e = axis[k].gone / s;
      uint64_t n = i - start;
      /@ assert gone: axis[k].gone == e * s && e < width && e % step == 0; @/
      /@ assert index: n < width && n % step == 0; @/
      /@ assert span: axis[k].span == width * s; @/
      /@ assert split: r == start * s + n * s + t; @/
      runs_less(e, n, s);
      runs_less(n, e, s);
      runs_multiple(e, n, step);
      /@ assert same: n == e ==> n * s == e * s; @/
      /@ assert zero: step >= width ==> n == 0 && e == 0; @/
      /@ assert jump: step < width ==> axis[k].jump == step * s; @/
      /@ assert sum: (e + step) * s == e * s + step * s; @/
      if (e < n) {
          runs_less((uint64_t)(e + step), n, s);
      }
      /@ assert far: e < n ==> (e + step) * s <= n * s; @/
      if (step < width - e) {
          runs_less((uint64_t)(e + step), width, s);
      }
      /@ assert end: e + step < width ==> (e + step) * s < width * s; @/
  }
*/

/* Every later axis still has to begin: where the walk lies in the rows of the first k axes. The next two are sums
 * of numbers that are passed with what they are. */
/*@ ghost
  /@ requires in: \valid_read(axis + (0 .. n - 1));
     requires walks: axes_walk(axis, n, size);
     requires low: low + run <= row_bits(axis, n, size);
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures inside: \forall integer k; 0 <= k <= n ==>
         low + starts_from(axis, k, n, size) + gone_from(axis, k, n) + run <= row_bits(axis, k, size);
     ensures least: \forall integer k; 0 <= k <= n ==>
         0 <= starts_from(axis, k, n, size) && 0 <= gone_from(axis, k, n);
  @/
  void runs_inside(const assay_axis *axis, uint64_t n, uint64_t size, uint64_t low, uint64_t run)
  {
      uint64_t k = n;
      uint64_t s = runs_row(axis, n, size);
      /@ assert one: s == row_bits(axis, k, size); @/
      /@ loop invariant bounds: 0 <= k <= n;
         loop invariant row: s == row_bits(axis, k, size);
         loop invariant inside: \forall integer j; k <= j <= n ==>
             low + starts_from(axis, j, n, size) + gone_from(axis, j, n) + run <= row_bits(axis, j, size);
         loop invariant least: \forall integer j; k <= j <= n ==>
             0 <= starts_from(axis, j, n, size) && 0 <= gone_from(axis, j, n);
         loop assigns k, s;
         loop variant k;
      @/
      while (k > 0) {
          uint64_t e = axis[k - 1].gone / s;
          uint64_t c = axis[k - 1].start + e;
          /@ assert walks: axis_walks(axis, k - 1, size); @/
          /@ assert gone: axis[k - 1].gone == e * s && c < axis[k - 1].dim; @/
          runs_less(c, axis[k - 1].dim, s);
          /@ assert sum: c * s == axis[k - 1].start * s + axis[k - 1].gone; @/
          /@ assert starts: starts_from(axis, k - 1, n, size) ==
                 axis[k - 1].start * s + starts_from(axis, k, n, size); @/
          /@ assert all: gone_from(axis, k - 1, n) == axis[k - 1].gone + gone_from(axis, k, n); @/
          /@ assert row: row_bits(axis, k - 1, size) == axis[k - 1].dim * s; @/
          runs_less(0, axis[k - 1].start, s);
          /@ assert least: 0 <= axis[k - 1].start * s; @/
          /@ assert least: 0 <= starts_from(axis, k - 1, n, size) && 0 <= gone_from(axis, k - 1, n); @/
          /@ assert inside: low + starts_from(axis, k - 1, n, size) + gone_from(axis, k - 1, n) + run <=
                 row_bits(axis, k - 1, size); @/
          k--;
          s = runs_row(axis, k, size);
      }
  }
*/

/* The rows in which the walk is lie in the tensor. */
/*@ ghost
  /@ requires in: \valid_read(axis + (0 .. n - 1));
     requires walks: axes_walk(axis, n, size);
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures block: \forall integer k; 0 <= k <= n ==>
         starts_from(axis, 0, n, size) + gone_from(axis, 0, n) + row_bits(axis, k, size) <=
             starts_from(axis, k, n, size) + gone_from(axis, k, n) + size;
     ensures fewer: \forall integer k; 0 <= k <= n ==> gone_from(axis, k, n) <= gone_from(axis, 0, n);
  @/
  void runs_blocks(const assay_axis *axis, uint64_t n, uint64_t size)
  {
      uint64_t k = 0;
      /@ loop invariant bounds: 0 <= k <= n;
         loop invariant block: \forall integer j; 0 <= j <= k ==>
             starts_from(axis, 0, n, size) + gone_from(axis, 0, n) + row_bits(axis, j, size) <=
                 starts_from(axis, j, n, size) + gone_from(axis, j, n) + size;
         loop invariant fewer: \forall integer j; 0 <= j <= k ==> gone_from(axis, j, n) <= gone_from(axis, 0, n);
         loop assigns k;
         loop variant n - k;
      @/
      while (k < n) {
          /@ assert walks: axis_walks(axis, k, size); @/
          uint64_t s = runs_row(axis, (uint64_t)(k + 1), size);
          uint64_t e = axis[k].gone / s;
          uint64_t c = axis[k].start + e;
          /@ assert gone: axis[k].gone == e * s && c < axis[k].dim; @/
          runs_less(c, axis[k].dim, s);
          /@ assert sum: c * s == axis[k].start * s + axis[k].gone; @/
          /@ assert starts: starts_from(axis, k, n, size) ==
                 axis[k].start * s + starts_from(axis, k + 1, n, size); @/
          /@ assert all: gone_from(axis, k, n) == axis[k].gone + gone_from(axis, k + 1, n); @/
          /@ assert row: row_bits(axis, k, size) == axis[k].dim * s; @/
          /@ assert block: starts_from(axis, 0, n, size) + gone_from(axis, 0, n) + row_bits(axis, k + 1, size) <=
                 starts_from(axis, k + 1, n, size) + gone_from(axis, k + 1, n) + size; @/
          k++;
      }
  }
*/

/* An axis that has another element. */
/*@ ghost
  /@ requires in: \valid_read(axis + k);
     requires walks: axis_walks(axis, k, size);
     requires row: s == row_bits(axis, k + 1, size);
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures gone: axis[k].gone < axis[k].span;
     ensures row: axis[k].start * s + axis[k].gone + s <= row_bits(axis, k, size);
     ensures inside: axis[k].gone + axis[k].jump < axis[k].span ==>
         axis[k].start * s + axis[k].gone + axis[k].jump + s <= row_bits(axis, k, size);
     ensures far: axis[k].gone + axis[k].jump < axis[k].span ==> s <= axis[k].jump;
  @/
  void runs_room(const assay_axis *axis, uint64_t k, uint64_t size, uint64_t s)
  {
      uint64_t start = axis[k].start;
      uint64_t width = axis[k].stop - axis[k].start;
      uint64_t step = axis[k].step;
      uint64_t e = axis[k].gone / s;
      /@ assert gone: axis[k].gone == e * s && e < width && e % step == 0; @/
      /@ assert span: axis[k].span == width * s; @/
      /@ assert jump: step < width ==> axis[k].jump == step * s; @/
      runs_less(e, width, s);
      runs_less((uint64_t)(start + e), axis[k].dim, s);
      /@ assert here: (start + e) * s == start * s + axis[k].gone; @/
      runs_less(1, step, s);
      /@ assert far: step < width ==> s <= axis[k].jump; @/
      if (step < width - e) {
          runs_less((uint64_t)(start + e + step), axis[k].dim, s);
          /@ assert sum: (start + e + step) * s == start * s + e * s + step * s; @/
      } else {
          runs_less((uint64_t)(width - e), step, s);
          /@ assert rest: (width - e) * s == width * s - e * s; @/
          /@ assert none: axis[k].gone + axis[k].jump >= axis[k].span; @/
      }
  }
*/

/* Bit x of the slice, and where the walk, which is at `first`, goes next. */
/*@ ghost
  /@ requires in: \valid_read(axis + (0 .. n - 1));
     requires walks: axes_walk(axis, n, size);
     requires low: low + run <= row_bits(axis, n, size) && 1 <= run;
     requires first: first == low + starts_from(axis, 0, n, size) + gone_from(axis, 0, n);
     requires taken: bit_taken(axis, n, size, x) && low <= x % row_bits(axis, n, size) < low + run;
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures least: low + starts_from(axis, 0, n, size) <= x;
     ensures far: 0 <= axis_next(axis, n, first) ==> first + run <= first_next(axis, n, first) < size;
     ensures last: axis_next(axis, n, first) < 0 ==> x < first + run;
     ensures next: 0 <= axis_next(axis, n, first) ==> x < first + run || first_next(axis, n, first) <= x;
  @/
  void runs_bit(const assay_axis *axis, uint64_t n, uint64_t size, uint64_t low, uint64_t run, uint64_t first,
                uint64_t x)
  {
      uint64_t k = n;
      uint64_t s = runs_row(axis, n, size);
      bool found = false;
      runs_inside(axis, n, size, low, run);
      runs_blocks(axis, n, size);
      /@ loop invariant bounds: 0 <= k <= n;
         loop invariant row: s == row_bits(axis, k, size);
         loop invariant least: low + starts_from(axis, k, n, size) <= x % s;
         loop invariant open: !found ==>
             axis_next(axis, n, first) == axis_next(axis, k, first - gone_from(axis, k, n)) &&
             first_next(axis, n, first) == first_next(axis, k, first - gone_from(axis, k, n));
         loop invariant last: !found ==>
             x % s < low + starts_from(axis, k, n, size) + gone_from(axis, k, n) + run;
         loop invariant found: found ==> 0 <= axis_next(axis, n, first) && first + run <= first_next(axis, n, first);
         loop invariant inside: found ==> low + starts_from(axis, k, n, size) + gone_from(axis, k, n) +
             first_next(axis, n, first) - first < s;
         loop invariant next: found ==>
             x % s < low + starts_from(axis, k, n, size) + gone_from(axis, k, n) + run ||
             low + starts_from(axis, k, n, size) + gone_from(axis, k, n) + first_next(axis, n, first) - first <= x % s;
         loop assigns k, s, found;
         loop variant k;
      @/
      while (k > 0) {
          /@ assert walks: axis_walks(axis, k - 1, size); @/
          /@ assert row: row_bits(axis, k - 1, size) == axis[k - 1].dim * s; @/
          uint64_t r = x % runs_row(axis, (uint64_t)(k - 1), size);
          uint64_t t = x % s;
          uint64_t i = r / s;
          runs_index(x, runs_row(axis, (uint64_t)(k - 1), size), s, axis[k - 1].dim);
          /@ assert index: i == bit_index(axis, k - 1, size, x); @/
          /@ assert each: axis_takes(axis, k - 1, bit_index(axis, k - 1, size, x)); @/
          /@ assert takes: axis_takes(axis, k - 1, i); @/
          runs_axis(axis, (uint64_t)(k - 1), size, s, i, r, t);
          runs_room(axis, (uint64_t)(k - 1), size, s);
          /@ assert starts: starts_from(axis, k - 1, n, size) ==
                 axis[k - 1].start * s + starts_from(axis, k, n, size); @/
          /@ assert all: gone_from(axis, k - 1, n) == axis[k - 1].gone + gone_from(axis, k, n); @/
          /@ assert low: low + starts_from(axis, k, n, size) <= s; @/
          if (!found) {
              if (axis[k - 1].jump < axis[k - 1].span - axis[k - 1].gone) {
                  /@ assert small: first - gone_from(axis, k, n) + axis[k - 1].jump <= size; @/
                  /@ assert next: axis_next(axis, k, first - gone_from(axis, k, n)) == k - 1; @/
                  /@ assert first: first_next(axis, k, first - gone_from(axis, k, n)) ==
                         first - gone_from(axis, k, n) + axis[k - 1].jump; @/
                  /@ assert first: first_next(axis, n, first) ==
                         first - gone_from(axis, k, n) + axis[k - 1].jump; @/
                  /@ assert far: first + run <= first_next(axis, n, first); @/
                  found = true;
              } else {
                  /@ assert gone: axis[k - 1].gone <= first - gone_from(axis, k, n); @/
                  /@ assert next: axis_next(axis, k, first - gone_from(axis, k, n)) ==
                         axis_next(axis, k - 1, first - gone_from(axis, k - 1, n)); @/
                  /@ assert first: first_next(axis, k, first - gone_from(axis, k, n)) ==
                         first_next(axis, k - 1, first - gone_from(axis, k - 1, n)); @/
              }
          }
          k--;
          s = runs_row(axis, k, size);
      }
  }
*/

/* Bit x of the run at which the walk is. */
/*@ ghost
  /@ requires in: \valid_read(axis + (0 .. n - 1));
     requires walks: axes_walk(axis, n, size);
     requires low: low + run <= row_bits(axis, n, size) && 1 <= run;
     requires first: first == low + starts_from(axis, 0, n, size) + gone_from(axis, 0, n);
     requires run: first <= x < first + run;
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures inside: first + run <= size;
     ensures taken: bit_taken(axis, n, size, x) && low <= x % row_bits(axis, n, size) < low + run;
  @/
  void runs_taken(const assay_axis *axis, uint64_t n, uint64_t size, uint64_t low, uint64_t run, uint64_t first,
                  uint64_t x)
  {
      uint64_t k = 0;
      uint64_t r = x;
      uint64_t s = size;
      runs_inside(axis, n, size, low, run);
      /@ assert size: x < size; @/
      runs_divide(x, 0, size, x);
      /@ loop invariant bounds: 0 <= k <= n;
         loop invariant row: s == row_bits(axis, k, size);
         loop invariant rest: r == x % s;
         loop invariant at: r == low + starts_from(axis, k, n, size) + gone_from(axis, k, n) + x - first;
         loop invariant taken: \forall integer j; 0 <= j < k ==> axis_takes(axis, j, bit_index(axis, j, size, x));
         loop assigns k, r, s;
         loop variant n - k;
      @/
      while (k < n) {
          /@ assert walks: axis_walks(axis, k, size); @/
          uint64_t each = runs_row(axis, (uint64_t)(k + 1), size);
          /@ assert row: s == axis[k].dim * each; @/
          uint64_t e = axis[k].gone / each;
          uint64_t c = axis[k].start + e;
          /@ assert gone: axis[k].gone == e * each; @/
          runs_less(c, axis[k].dim, each);
          /@ assert sum: c * each == axis[k].start * each + axis[k].gone; @/
          /@ assert starts: starts_from(axis, k, n, size) ==
                 axis[k].start * each + starts_from(axis, k + 1, n, size); @/
          /@ assert all: gone_from(axis, k, n) == axis[k].gone + gone_from(axis, k + 1, n); @/
          /@ assert at: r - c * each ==
                 low + starts_from(axis, k + 1, n, size) + gone_from(axis, k + 1, n) + x - first; @/
          /@ assert less: 0 <= r - c * each < each; @/
          runs_part(x, s, each, axis[k].dim, c, (uint64_t)(r - c * each));
          /@ assert index: bit_index(axis, k, size, x) == c; @/
          /@ assert here: axis_takes(axis, k, c); @/
          /@ assert takes: \forall integer j; j == k ==> axis_takes(axis, j, bit_index(axis, j, size, x)); @/
          r -= c * each;
          k++;
          s = each;
      }
  }
*/

/* Which axis takes its next element, and where the walk then is. */
/*@ ghost
  /@ requires in: \valid_read(axis + (0 .. n - 1));
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures next: \let j = axis_next(axis, n, first); 0 <= j ==> j < n && axis[j].gone + axis[j].jump < axis[j].span &&
         first_next(axis, n, first) == first - gone_from(axis, j + 1, n) + axis[j].jump;
  @/
  void runs_next(const assay_axis *axis, uint64_t n, uint64_t first)
  {
      uint64_t k = n;
      uint64_t p = first;
      /@ loop invariant bounds: 0 <= k <= n;
         loop invariant sum: p == first - gone_from(axis, k, n);
         loop invariant next: axis_next(axis, n, first) == axis_next(axis, k, p);
         loop invariant first: first_next(axis, n, first) == first_next(axis, k, p);
         loop assigns k, p;
         loop variant k;
      @/
      while (k > 0) {
          if (axis[k - 1].gone < axis[k - 1].span && axis[k - 1].jump < axis[k - 1].span - axis[k - 1].gone &&
              axis[k - 1].jump <= UINT64_MAX - p) {
              /@ assert next: axis_next(axis, k, p) == k - 1; @/
              /@ assert first: first_next(axis, k, p) == p + axis[k - 1].jump; @/
              return;
          }
          if (axis[k - 1].gone > p) {
              /@ assert none: axis_next(axis, k, p) == -1; @/
              return;
          }
          /@ assert next: axis_next(axis, k, p) == axis_next(axis, k - 1, p - axis[k - 1].gone); @/
          /@ assert first: first_next(axis, k, p) == first_next(axis, k - 1, p - axis[k - 1].gone); @/
          /@ assert all: gone_from(axis, k - 1, n) == axis[k - 1].gone + gone_from(axis, k, n); @/
          p -= axis[k - 1].gone;
          k--;
      }
  }
*/

/* The elements of axis k that come next: the one after, and the first. */
/*@ ghost
  /@ requires in: \valid_read(axis + k);
     requires walks: axis_walks(axis, k, size);
     requires row: s == row_bits(axis, k + 1, size);
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures first: axis_reaches(axis, k, size, 0);
     ensures next: axis[k].gone + axis[k].jump < axis[k].span ==>
         axis_reaches(axis, k, size, axis[k].gone + axis[k].jump);
  @/
  void runs_reach(const assay_axis *axis, uint64_t k, uint64_t size, uint64_t s)
  {
      uint64_t width = axis[k].stop - axis[k].start;
      uint64_t step = axis[k].step;
      uint64_t e = axis[k].gone / s;
      /@ assert gone: axis[k].gone == e * s && e < width && e % step == 0; @/
      runs_divide(0, 0, s, 0);
      runs_divide(0, 0, step, 0);
      /@ assert first: axis_reaches(axis, k, size, 0); @/
      runs_room(axis, k, size, s);
      /@ assert span: axis[k].span == width * s; @/
      if (step < width - e) {
          /@ assert jump: axis[k].jump == step * s; @/
          /@ assert sum: (e + step) * s == e * s + step * s; @/
          runs_less((uint64_t)(e + step), width, s);
          uint64_t gone = axis[k].gone + axis[k].jump;
          /@ assert gone: gone == (e + step) * s; @/
          runs_divide(gone, (uint64_t)(e + step), s, 0);
          /@ assert index: gone / s == e + step; @/
          /@ assert quotient: e == e / step * step; @/
          /@ assert more: e + step == (e / step + 1) * step; @/
          runs_less(1, step, e / step);
          uint64_t q = e / step + 1u;
          runs_divide((uint64_t)(e + step), q, step, 0);
          /@ assert next: (e + step) % step == 0; @/
          /@ assert next: axis_takes(axis, k, axis[k].start + gone / s); @/
          /@ assert next: axis_reaches(axis, k, size, gone); @/
      } else {
          runs_less((uint64_t)(width - e), step, s);
          /@ assert rest: (width - e) * s == width * s - e * s; @/
          /@ assert none: axis[k].gone + axis[k].jump >= axis[k].span; @/
      }
  }
*/

/* Do these axes take bit x? */
/*@ ghost
  /@ requires in: \valid_read(axis + (0 .. n - 1));
     requires walks: axes_walk(axis, n, size);
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures taken: \result <==> bit_taken(axis, n, size, x);
  @/
  bool runs_takes(const assay_axis *axis, uint64_t n, uint64_t size, uint64_t x)
  {
      if (x >= size) {
          return false;
      }
      uint64_t k = 0;
      /@ loop invariant bounds: 0 <= k <= n;
         loop invariant taken: \forall integer j; 0 <= j < k ==> axis_takes(axis, j, bit_index(axis, j, size, x));
         loop assigns k;
         loop variant n - k;
      @/
      while (k < n) {
          /@ assert walks: axis_walks(axis, k, size); @/
          uint64_t s = runs_row(axis, k, size);
          uint64_t each = runs_row(axis, (uint64_t)(k + 1), size);
          runs_index(x, s, each, axis[k].dim);
          uint64_t i = x % s / each;
          /@ assert index: i == bit_index(axis, k, size, x); @/
          if (i < axis[k].start || i >= axis[k].stop || (i - axis[k].start) % axis[k].step != 0) {
              /@ assert not: !axis_takes(axis, k, bit_index(axis, k, size, x)); @/
              return false;
          }
          /@ assert takes: \forall integer j; j == k ==> axis_takes(axis, j, bit_index(axis, j, size, x)); @/
          k++;
      }
      return true;
  }
*/

/* Where the runs begin in their rows. */
/*@ ghost
  /@ requires in: \valid_read(axis + (0 .. n - 1));
     requires walks: axes_walk(axis, n, size);
     requires low: 0 <= first - starts_from(axis, 0, n, size) - gone_from(axis, 0, n);
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures low: \result == first - starts_from(axis, 0, n, size) - gone_from(axis, 0, n);
  @/
  uint64_t runs_low(const assay_axis *axis, uint64_t n, uint64_t size, uint64_t first)
  {
      uint64_t p = first;
      uint64_t k = 0;
      runs_inside(axis, n, size, 0, 0);
      /@ loop invariant bounds: 0 <= k <= n;
         loop invariant low: p - starts_from(axis, k, n, size) - gone_from(axis, k, n) ==
             first - starts_from(axis, 0, n, size) - gone_from(axis, 0, n);
         loop assigns k, p;
         loop variant n - k;
      @/
      while (k < n) {
          /@ assert walks: axis_walks(axis, k, size); @/
          uint64_t s = runs_row(axis, (uint64_t)(k + 1), size);
          runs_less(0, axis[k].start, s);
          /@ assert starts: starts_from(axis, k, n, size) == axis[k].start * s + starts_from(axis, k + 1, n, size); @/
          /@ assert all: gone_from(axis, k, n) == axis[k].gone + gone_from(axis, k + 1, n); @/
          p -= axis[k].start * s;
          p -= axis[k].gone;
          k++;
      }
      return p;
  }
*/

/* Where the axes can be. */
/*@ ghost
  /@ requires in: \valid_read(axis + (0 .. n - 1));
     requires walks: axes_walk(axis, n, size);
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures reach: axes_reach(axis, n, size);
  @/
  void runs_reaches(const assay_axis *axis, uint64_t n, uint64_t size)
  {
      uint64_t k = 0;
      /@ loop invariant bounds: 0 <= k <= n;
         loop invariant reach: axes_reach(axis, k, size);
         loop assigns k;
         loop variant n - k;
      @/
      while (k < n) {
          /@ assert walks: axis_walks(axis, k, size); @/
          runs_reach(axis, k, size, runs_row(axis, (uint64_t)(k + 1), size));
          k++;
      }
  }
*/

/* The run at which the walk is, and the next. */
/*@ ghost
  void assay_slice_runs(const assay_slice *slice, const assay_axis *axis)
  {
      uint64_t n = slice->axes;
      uint64_t size = slice->bits;
      uint64_t first = slice->first;
      uint64_t run = slice->run;
      uint64_t low = runs_low(axis, n, size, first);
      uint64_t x = first;
      runs_taken(axis, n, size, low, run, first, first);
      runs_next(axis, n, first);
      runs_bit(axis, n, size, low, run, first, first);
      /@ loop invariant bounds: first <= x <= first + run;
         loop invariant taken: \forall integer y; first <= y < x ==> walk_takes(slice, axis, y);
         loop assigns x;
         loop variant first + run - x;
      @/
      while (x < first + run) {
          runs_taken(axis, n, size, low, run, first, x);
          /@ assert taken: walk_takes(slice, axis, x); @/
          x++;
      }
      x = 0;
      uint64_t s = runs_row(axis, n, size);
      /@ loop invariant bounds: 0 <= x <= size;
         loop invariant next: \forall integer y; 0 <= y < x && walk_takes(slice, axis, y) && first + run <= y ==>
             0 <= axis_next(axis, n, first) && first_next(axis, n, first) <= y;
         loop assigns x;
         loop variant size - x;
      @/
      while (x < size) {
          if (runs_takes(axis, n, size, x) && low <= x % s && x % s < low + run) {
              runs_bit(axis, n, size, low, run, first, x);
          } else {
              /@ assert not: !walk_takes(slice, axis, x); @/
          }
          x++;
      }
      runs_reaches(axis, n, size);
      /@ assert taken: run_taken(slice, axis); @/
      /@ assert all: \forall integer y; walk_takes(slice, axis, y) ==> 0 <= y < size; @/
  }
*/

/* Is axis k, of rows of s bits, laid out for the walk? */
/*@ ghost
  /@ requires in: \valid_read(axis + k);
     requires row: s == row_bits(axis, k, size);
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures answer: \result <==> axis_walks(axis, k, size);
  @/
  bool runs_laid(const assay_axis *axis, uint64_t k, uint64_t size, uint64_t s)
  {
      uint64_t dim = axis[k].dim;
      uint64_t start = axis[k].start;
      uint64_t step = axis[k].step;
      if (start >= axis[k].stop || axis[k].stop > dim || step == 0) {
          return false;
      }
      uint64_t width = axis[k].stop - start;
      uint64_t each = s / dim;
      uint64_t gone = axis[k].gone;
      /@ assert each: each == row_bits(axis, k + 1, size); @/
      if (each == 0) {
          /@ assert not: !axis_walks(axis, k, size); @/
          return false;
      }
      if (s != dim * (s / dim)) {
          /@ assert row: !times(s, dim, each); @/
          /@ assert not: !axis_walks(axis, k, size); @/
          return false;
      }
      /@ assert row: s == dim * each; @/
      runs_less(width, dim, each);
      if (axis[k].span != width * each) {
          /@ assert not: !axis_walks(axis, k, size); @/
          return false;
      }
      if (step < width) {
          runs_less(step, dim, each);
          if (axis[k].jump != step * each) {
              /@ assert not: !axis_walks(axis, k, size); @/
              return false;
          }
      } else if (axis[k].jump != axis[k].span) {
          /@ assert not: !axis_walks(axis, k, size); @/
          return false;
      }
      uint64_t e = gone / each;
      /@ assert jump: axis[k].jump == (step < width ? step * each : axis[k].span); @/
      /@ assert split: gone == e * each + gone % each; @/
      /@ assert whole: gone % each == 0 <==> gone == gone / each * each; @/
      /@ assert takes: axis_takes(axis, k, start + e) <==> e < width && e % step == 0; @/
      /@ assert reach: axis_reaches(axis, k, size, axis[k].gone) <==>
             gone % each == 0 && axis_takes(axis, k, start + e); @/
      /@ assert laid: axis_walks(axis, k, size) <==> axis_reaches(axis, k, size, axis[k].gone); @/
      return gone % each == 0 && e < width && e % step == 0;
  }
*/

/* Is this a walk? */
/*@ ghost
  bool assay_slice_walks(const assay_slice *slice, const assay_axis *axis)
  {
      uint64_t n = slice->axes;
      uint64_t size = slice->bits;
      uint64_t s = size;
      uint64_t k = 0;
      if (slice->run == 0) {
          return false;
      }
      /@ loop invariant bounds: 0 <= k <= n;
         loop invariant row: s == row_bits(axis, k, size);
         loop invariant walks: axes_walk(axis, k, size);
         loop assigns k, s;
         loop variant n - k;
      @/
      while (k < n) {
          if (!runs_laid(axis, k, size, s)) {
              /@ assert not: !axis_walks(axis, k, size); @/
              return false;
          }
          /@ assert walks: axis_walks(axis, k, size); @/
          s /= axis[k].dim;
          k++;
      }
      uint64_t p = slice->first;
      runs_inside(axis, n, size, 0, 0);
      k = 0;
      /@ loop invariant bounds: 0 <= k <= n;
         loop invariant low: p - starts_from(axis, k, n, size) - gone_from(axis, k, n) == walk_low(slice, axis);
         loop assigns k, p;
         loop variant n - k;
      @/
      while (k < n) {
          /@ assert walks: axis_walks(axis, k, size); @/
          uint64_t each = runs_row(axis, (uint64_t)(k + 1), size);
          uint64_t all = runs_row(axis, k, size);
          /@ assert row: all == axis[k].dim * each; @/
          runs_less(axis[k].start, axis[k].dim, each);
          /@ assert starts: starts_from(axis, k, n, size) ==
                 axis[k].start * each + starts_from(axis, k + 1, n, size); @/
          /@ assert all: gone_from(axis, k, n) == axis[k].gone + gone_from(axis, k + 1, n); @/
          if (p < axis[k].start * each || p - axis[k].start * each < axis[k].gone) {
              /@ assert low: walk_low(slice, axis) < 0; @/
              return false;
          }
          p -= axis[k].start * each;
          p -= axis[k].gone;
          k++;
      }
      /@ assert low: p == walk_low(slice, axis); @/
      return p <= s && slice->run <= s - p;
  }
*/

/* Axes at their start. */
/*@ ghost
  /@ requires in: \valid_read(axis + (0 .. n - 1));
     requires still: axes_still(axis, n, size);
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures walks: axes_walk(axis, n, size);
     ensures gone: \forall integer m; 0 <= m <= n ==> gone_from(axis, 0, m) == 0;
  @/
  void runs_still(const assay_axis *axis, uint64_t n, uint64_t size)
  {
      uint64_t m = 0;
      /@ loop invariant bounds: 0 <= m <= n;
         loop invariant walks: axes_walk(axis, m, size);
         loop assigns m;
         loop variant n - m;
      @/
      while (m < n) {
          /@ assert laid: axis_laid(axis, m, size) && axis[m].gone == 0; @/
          /@ assert reached: axis_reaches(axis, m, size, 0); @/
          /@ assert walks: axis_walks(axis, m, size); @/
          m++;
      }
      m = 0;
      /@ loop invariant bounds: 0 <= m <= n + 1;
         loop invariant gone: \forall integer j; 0 <= j < m ==> gone_from(axis, 0, j) == 0;
         loop assigns m;
         loop variant n + 1 - m;
      @/
      while (m <= n) {
          uint64_t k = m;
          /@ loop invariant bounds: 0 <= k <= m;
             loop invariant gone: gone_from(axis, k, m) == 0;
             loop assigns k;
             loop variant k;
          @/
          while (k > 0) {
              k--;
          }
          if (m == UINT64_MAX) {
              break;
          }
          m++;
      }
  }
*/

/* The starts of the first m axes, and the others. */
/*@ ghost
  /@ requires order: m <= n;
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures parts: starts_from(axis, 0, n, size) == starts_from(axis, 0, m, size) + starts_from(axis, m, n, size);
  @/
  void runs_starts(const assay_axis *axis, uint64_t m, uint64_t n, uint64_t size)
  {
      uint64_t k = m;
      /@ loop invariant bounds: 0 <= k <= m;
         loop invariant parts: starts_from(axis, k, n, size) ==
             starts_from(axis, k, m, size) + starts_from(axis, m, n, size);
         loop assigns k;
         loop variant k;
      @/
      while (k > 0) {
          /@ assert one: starts_from(axis, k - 1, n, size) ==
                 start_bits(axis, k - 1, size) + starts_from(axis, k, n, size); @/
          /@ assert two: starts_from(axis, k - 1, m, size) ==
                 start_bits(axis, k - 1, size) + starts_from(axis, k, m, size); @/
          k--;
      }
  }
*/

/* Whole axes start at 0. */
/*@ ghost
  /@ requires in: \valid_read(axis + (0 .. n - 1));
     requires whole: axes_whole(axis, m, n);
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures none: starts_from(axis, m, n, size) == 0;
  @/
  void runs_whole(const assay_axis *axis, uint64_t m, uint64_t n, uint64_t size)
  {
      if (m >= n) {
          return;
      }
      uint64_t k = n;
      /@ loop invariant bounds: m <= k <= n;
         loop invariant none: starts_from(axis, k, n, size) == 0;
         loop assigns k;
         loop variant k;
      @/
      while (k > m) {
          k--;
          /@ assert start: axis[k].start == 0; @/
          /@ assert none: start_bits(axis, k, size) == 0; @/
      }
  }
*/

/* Row i, bit t of it, on an axis that takes adjacent elements. */
/*@ ghost
  /@ requires adjacent: adjacent(start, stop, step, row, run) && start < stop && 1 <= step;
     requires bit: t < row;
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures taken: index_taken(start, stop, step, i) <==> start * row <= i * row + t < start * row + run;
  @/
  void runs_adjacent(uint64_t start, uint64_t stop, uint64_t step, uint64_t row, uint64_t run, uint64_t i, uint64_t t)
  {
      runs_less(i, start, row);
      runs_less(start, i, row);
      runs_less(i, stop, row);
      runs_less(stop, i, row);
      if (step >= stop - start) {
          if (i > start && i < stop) {
              runs_divide((uint64_t)(i - start), 0, step, (uint64_t)(i - start));
              /@ assert not: (i - start) % step != 0; @/
          }
          if (i == start) {
              runs_divide(0, 0, step, 0);
          }
          /@ assert one: index_taken(start, stop, step, i) <==> i == start; @/
          /@ assert here: i == start <==> start * row <= i * row + t < start * row + row; @/
      } else {
          /@ assert all: index_taken(start, stop, step, i) <==> start <= i < stop; @/
          /@ assert width: start * row + run == stop * row; @/
          /@ assert here: start <= i < stop <==> start * row <= i * row + t < stop * row; @/
      }
  }
*/

/* Bit x on whole axes: they take it. */
/*@ ghost
  /@ requires in: \valid_read(axis + (0 .. n - 1));
     requires walks: axes_walk(axis, n, size);
     requires whole: axes_whole(axis, m, n);
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures taken: \forall integer k; m <= k < n ==> axis_takes(axis, k, bit_index(axis, k, size, x));
  @/
  void runs_all(const assay_axis *axis, uint64_t m, uint64_t n, uint64_t size, uint64_t x)
  {
      uint64_t k = m;
      if (m >= n) {
          return;
      }
      /@ loop invariant bounds: m <= k <= n;
         loop invariant taken: \forall integer j; m <= j < k ==> axis_takes(axis, j, bit_index(axis, j, size, x));
         loop assigns k;
         loop variant n - k;
      @/
      while (k < n) {
          /@ assert walks: axis_walks(axis, k, size); @/
          uint64_t s = runs_row(axis, k, size);
          uint64_t each = runs_row(axis, (uint64_t)(k + 1), size);
          runs_index(x, s, each, axis[k].dim);
          uint64_t i = x % s / each;
          /@ assert index: i == bit_index(axis, k, size, x) && i < axis[k].stop && axis[k].start == 0; @/
          /@ assert step: axis[k].step == 1 || i == 0; @/
          /@ assert rest: i % axis[k].step == 0; @/
          /@ assert here: \forall integer j; j == k ==> axis_takes(axis, j, bit_index(axis, j, size, x)); @/
          k++;
      }
  }
*/

/* Bit x of the slice. */
/*@ ghost
  /@ requires in: \valid_read(axis + (0 .. n - 1));
     requires walks: axes_walk(axis, n, size);
     requires run: m <= n && run_laid(axis, m, n, size, run);
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures taken: \let low = m < n ? start_bits(axis, m, size) : 0;
         bit_taken(axis, n, size, x) <==>
             bit_taken(axis, m, size, x) && low <= x % row_bits(axis, m, size) < low + run;
  @/
  void runs_leaf(const assay_axis *axis, uint64_t m, uint64_t n, uint64_t size, uint64_t run, uint64_t x)
  {
      uint64_t s = runs_row(axis, m, size);
      if (m == n) {
          if (m > 0) {
              /@ assert last: axis_walks(axis, m - 1, size); @/
          }
          /@ assert run: run == s && (m == 0 || 1 <= s); @/
          /@ assert rest: bit_taken(axis, m, size, x) ==> 0 <= x % s < s; @/
          return;
      }
      /@ assert walks: axis_walks(axis, m, size); @/
      uint64_t each = runs_row(axis, (uint64_t)(m + 1), size);
      runs_index(x, s, each, axis[m].dim);
      uint64_t i = x % s / each;
      uint64_t t = x % each;
      runs_adjacent(axis[m].start, axis[m].stop, axis[m].step, each, run, i, t);
      /@ assert split: x % s == i * each + t; @/
      /@ assert index: i == bit_index(axis, m, size, x); @/
      /@ assert low: start_bits(axis, m, size) == axis[m].start * each; @/
      /@ assert here: axis_takes(axis, m, bit_index(axis, m, size, x)) <==>
             start_bits(axis, m, size) <= x % s < start_bits(axis, m, size) + run; @/
      runs_all(axis, (uint64_t)(m + 1), n, size, x);
      /@ assert less: bit_taken(axis, n, size, x) ==>
             bit_taken(axis, m, size, x) && axis_takes(axis, m, bit_index(axis, m, size, x)); @/
      /@ assert more: bit_taken(axis, m, size, x) && axis_takes(axis, m, bit_index(axis, m, size, x)) ==>
             bit_taken(axis, n, size, x); @/
  }
*/

/*@ ghost
  void assay_slice_begun(const assay_slice *slice, const assay_axis *axis, uint64_t n)
  {
      uint64_t m = slice->axes;
      uint64_t size = slice->bits;
      uint64_t run = slice->run;
      uint64_t first = slice->first;
      uint64_t x = 0;
      runs_still(axis, n, size);
      runs_starts(axis, m, n, size);
      uint64_t s = runs_row(axis, m, size);
      if (m < n) {
          /@ assert walks: axis_walks(axis, m, size); @/
          uint64_t each = runs_row(axis, (uint64_t)(m + 1), size);
          runs_whole(axis, (uint64_t)(m + 1), n, size);
          /@ assert start: starts_from(axis, m, n, size) == start_bits(axis, m, size); @/
          /@ assert low: start_bits(axis, m, size) == axis[m].start * each; @/
          /@ assert row: s == axis[m].dim * each; @/
          runs_less(axis[m].start, axis[m].dim, each);
          runs_less(axis[m].stop, axis[m].dim, each);
          /@ assert run: run == each || run == (axis[m].stop - axis[m].start) * each; @/
          /@ assert sum: axis[m].start * each + (axis[m].stop - axis[m].start) * each == axis[m].stop * each; @/
          /@ assert fits: 0 <= start_bits(axis, m, size) && start_bits(axis, m, size) + run <= s; @/
      }
      /@ assert low: walk_low(slice, axis) == (m < n ? start_bits(axis, m, size) : 0); @/
      /@ assert fits: 0 <= walk_low(slice, axis) && walk_low(slice, axis) + run <= s; @/
      /@ assert walks: slice_walks(slice, axis); @/
      uint64_t low = runs_low(axis, m, size, first);
      /@ loop invariant bounds: 0 <= x <= size;
         loop invariant same: \forall integer y; 0 <= y < x ==>
             (bit_taken(axis, n, size, y) <==> walk_takes(slice, axis, y));
         loop invariant starts: \forall integer y; 0 <= y < x && walk_takes(slice, axis, y) ==> first <= y;
         loop assigns x;
         loop variant size - x;
      @/
      while (x < size) {
          runs_leaf(axis, m, n, size, run, x);
          /@ assert same: bit_taken(axis, n, size, x) <==> walk_takes(slice, axis, x); @/
          if (runs_takes(axis, m, size, x) && low <= x % s && x % s < low + run) {
              runs_bit(axis, m, size, low, run, first, x);
              /@ assert first: first <= x; @/
          } else {
              /@ assert not: !walk_takes(slice, axis, x); @/
          }
          x++;
      }
      /@ assert all: \forall integer y; walk_takes(slice, axis, y) ==> 0 <= y < size; @/
      /@ assert all: \forall integer y; bit_taken(axis, n, size, y) ==> 0 <= y < size; @/
      /@ assert starts: walk_starts(slice, axis); @/
  }
*/

/* One dim more. */
/*@ ghost
  /@ requires dim: dim == dim_nth(b, at, end, k) && 1 <= dim;
     requires product: product == nonzero(b, at, end, k);
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures product: nonzero(b, at, end, k + 1) == product * dim;
     ensures none: nonzero(b, at, end, 0) == 1;
  @/
  void runs_dim(const uint8_t *b, uint64_t at, uint64_t end, uint64_t k, uint64_t dim, uint64_t product)
  {
  }
*/

/* The product of the first k dims. */
/*@ ghost
  /@ requires in: \valid_read(axis + (0 .. k - 1));
     requires dims: axes_measured(b, at, end, axis, k) && axes_ready(axis, k);
     requires small: nonzero_small(b, at, end, k);
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures product: \result == nonzero(b, at, end, k);
     ensures positive: 1 <= \result;
  @/
  uint64_t runs_product(const uint8_t *b, uint64_t at, uint64_t end, const assay_axis *axis, uint64_t k)
  {
      uint64_t product = 1;
      uint64_t j = 0;
      /@ loop invariant bounds: 0 <= j <= k;
         loop invariant product: 1 <= product && product == nonzero(b, at, end, j);
         loop assigns j, product;
         loop variant k - j;
      @/
      while (j < k) {
          /@ assert dim: axis[j].dim == dim_nth(b, at, end, j) && 1 <= axis[j].dim; @/
          runs_dim(b, at, end, j, axis[j].dim, product);
          runs_less(1, axis[j].dim, product);
          product *= axis[j].dim;
          j++;
      }
      return product;
  }
*/

/* Two factors. */
/*@ ghost
  /@ requires factors: 1 <= a && 1 <= b && 1 <= c;
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures order: a * (c * b) == (a * b) * c;
     ensures small: a * b <= (a * b) * c;
     ensures positive: 1 <= a * b;
  @/
  void runs_same(uint64_t a, uint64_t b, uint64_t c)
  {
      /@ assert ab: 1 <= a * b; @/
  }
*/

/* The bits of a row when k axes have divided size, whose dims and bits make size. */
/*@ ghost
  /@ requires in: \valid_read(axis + (0 .. n - 1));
     requires dims: axes_measured(b, at, end, axis, n) && axes_ready(axis, n);
     requires small: nonzero_small(b, at, end, n);
     requires size: 1 <= bits && nonzero(b, at, end, n) * bits <= UINT64_MAX;
     requires order: k <= n;
     terminates \true;
     exits \false;
     assigns \nothing;
     ensures size: \result * nonzero(b, at, end, k) == nonzero(b, at, end, n) * bits;
     ensures positive: 1 <= \result;
     ensures last: k == n ==> \result == bits;
  @/
  uint64_t runs_each(const uint8_t *b, uint64_t at, uint64_t end, const assay_axis *axis, uint64_t n, uint64_t bits,
                      uint64_t k)
  {
      uint64_t each = bits;
      uint64_t j = n;
      uint64_t product = runs_product(b, at, end, axis, n);
      /@ assert all: product == nonzero(b, at, end, n); @/
      /@ loop invariant bounds: k <= j <= n;
         loop invariant size: each * nonzero(b, at, end, j) == nonzero(b, at, end, n) * bits;
         loop invariant positive: 1 <= each;
         loop invariant last: j == n ==> each == bits;
         loop assigns j, each;
         loop variant j;
      @/
      while (j > k) {
          uint64_t before = runs_product(b, at, end, axis, (uint64_t)(j - 1));
          uint64_t dim = axis[j - 1].dim;
          /@ assert dim: axis[j - 1].dim == dim_nth(b, at, end, j - 1) && 1 <= dim; @/
          runs_dim(b, at, end, (uint64_t)(j - 1), dim, before);
          /@ assert here: nonzero(b, at, end, j) == before * dim; @/
          runs_less(1, before, (uint64_t)dim);
          runs_same(each, dim, before);
          /@ assert size: each * dim * before == nonzero(b, at, end, n) * bits; @/
          each *= dim;
          j--;
      }
      return each;
  }
*/

/*@ ghost
  void assay_slice_rows(const uint8_t *b, uint64_t at, uint64_t end, const assay_axis *axis, uint64_t n, uint64_t bits,
                        uint64_t size)
  {
      uint64_t row = size;
      uint64_t k = 0;
      uint64_t product = runs_product(b, at, end, axis, n);
      runs_less(1, product, bits);
      /@ assert size: 1 <= size; @/
      /@ assert none: nonzero(b, at, end, 0) == 1; @/
      runs_less(size, size, 1);
      /@ loop invariant bounds: 0 <= k <= n;
         loop invariant row: row == row_bits(axis, k, size);
         loop invariant size: 1 <= row && row * nonzero(b, at, end, k) == size;
         loop invariant each: rows_each(axis, k, size);
         loop invariant small: \forall integer j; 0 <= j <= k ==> row_bits(axis, j, size) <= size;
         loop assigns k, row, product;
         loop variant n - k;
      @/
      while (k < n) {
          uint64_t dim = axis[k].dim;
          uint64_t each = runs_each(b, at, end, axis, n, bits, (uint64_t)(k + 1));
          product = runs_product(b, at, end, axis, k);
          /@ assert dim: axis[k].dim == dim_nth(b, at, end, k) && 1 <= dim; @/
          runs_dim(b, at, end, k, dim, product);
          /@ assert next: nonzero(b, at, end, k + 1) == product * dim; @/
          runs_same(each, dim, product);
          /@ assert all: (each * dim) * product == size; @/
          runs_divide(size, row, product, 0);
          runs_divide(size, (uint64_t)(each * dim), product, 0);
          /@ assert row: row == each * dim; @/
          runs_divide(row, each, dim, 0);
          /@ assert next: row_bits(axis, k + 1, size) == each; @/
          runs_less(1, dim, each);
          /@ assert times: times(row_bits(axis, k, size), axis[k].dim, row_bits(axis, k + 1, size)); @/
          k++;
          row = each;
      }
      product = runs_product(b, at, end, axis, n);
      runs_divide(size, row, product, 0);
      runs_divide(size, bits, product, 0);
  }
*/

/*@ ghost
  void assay_axis_laid(const assay_axis *axis, uint64_t all, uint64_t row)
  {
  }
*/

/*@ ghost
  void assay_run_adjacent(uint64_t start, uint64_t stop, uint64_t step, uint64_t row, uint64_t n, uint64_t run)
  {
  }
*/

/*@ ghost
  void assay_bits_of(uint64_t n, uint64_t row)
  {
  }
*/

/*@ ghost
  void assay_slice_none(const assay_axis *axis, uint64_t n, uint64_t size)
  {
      uint64_t k = 0;
      /@ loop invariant bounds: 0 <= k <= n;
         loop invariant some: axes_some(axis, k);
         loop assigns k;
         loop variant n - k;
      @/
      while (k < n) {
          if (axis[k].start >= axis[k].stop) {
              /@ assert none: \forall integer i; !axis_takes(axis, k, i); @/
              /@ assert none: \forall integer x; !axis_takes(axis, k, bit_index(axis, k, size, x)); @/
              /@ assert here: \forall integer x; bit_taken(axis, n, size, x) ==>
                     axis_takes(axis, k, bit_index(axis, k, size, x)); @/
              /@ assert none: \forall integer x; !bit_taken(axis, n, size, x); @/
              return;
          }
          k++;
      }
  }
*/
