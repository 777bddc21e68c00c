/* file_ranges.h: ranges of a file that the file system moves or shares without copying them, and where a file has data.
 * What a file system or this program was not built for fails with EOPNOTSUPP. */
#ifndef ASSAY_HOST_FILE_RANGES_H
#define ASSAY_HOST_FILE_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__linux__)
#include <fcntl.h>
#include <sys/ioctl.h>
#endif

/* Blocks that two files share: the kernel's FICLONERANGE and its argument. Not every C library has them. */
typedef struct {
    int64_t from;
    uint64_t offset, count, to_offset;
} host_clone_argument;

#define HOST_CLONE _IOW(0x94, 13, host_clone_argument)
#define HOST_INSERT 0x20   /* FALLOC_FL_INSERT_RANGE */
#define HOST_COLLAPSE 0x08 /* FALLOC_FL_COLLAPSE_RANGE */

/* Let `to`, from to_offset on, share the blocks that `from` has in [offset, offset + count). Return errno, or 0. */
int host_clone(int to, uint64_t to_offset, int from, uint64_t offset, uint64_t count);

/* Could the file system insert and remove ranges of files in this open folder? A file without a name is asked. */
bool host_can_insert(int folder);

/* Insert a hole of whole blocks at the beginning of a file: all that it has is moved by count bytes. Return errno, or
 * 0. If the power fails meanwhile, the hole may be at another offset: see host_hole_find. */
int host_insert(int fd, uint64_t count);

/* Remove [offset, offset + count): whole blocks. What is after it is moved. size: of the file. Return errno, or 0. */
int host_collapse(int fd, uint64_t offset, uint64_t count, uint64_t size);

/* ---- Where a file has data ------------------------------------------------------------------------------- */

#define HOST_SEGMENTS_MOST 4096u

/* The segments in which a file has data, in order; holes are between them. Ends are rounded up to whole blocks. */
typedef struct {
    uint64_t begin, end;
} host_segment;

typedef struct {
    uint64_t count;
    host_segment segment[HOST_SEGMENTS_MOST];
} host_layout;

/* Find the segments of an open file, all of which is on the disk. block: bytes. Return errno, or 0; EFBIG: there are
 * more than HOST_SEGMENTS_MOST. */
int host_layout_read(host_layout *to, int fd, uint64_t block);

/* Find the hole of count bytes by which a file differs from what it was before host_insert, or host_collapse of that
 * hole, which did not end. The first block of `before` has data. *offset: of the hole; it is unique, except for offsets
 * between which there is no data. Return false if the file differs in another way. */
bool host_hole_find(const host_layout *before, const host_layout *now, uint64_t count, uint64_t *offset);

#endif
