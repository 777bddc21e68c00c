/* file_ranges.c: see file_ranges.h. */
#include "posix.h"

#include "file_ranges.h"

#include <errno.h>
#include <sys/types.h>
#include <unistd.h>

#if defined(__linux__)

int host_clone(int to, uint64_t to_offset, int from, uint64_t offset, uint64_t count)
{
    host_clone_argument what = {from, offset, count, to_offset};
    return ioctl(to, HOST_CLONE, &what) == 0 ? 0 : errno;
}

static int change(int fd, int mode, uint64_t offset, uint64_t count)
{
    /* not again after EINTR: a part may be moved already */
    return fallocate(fd, mode, (off_t)offset, (off_t)count) == 0 ? 0 : errno;
}

bool host_can_insert(int folder)
{
    int fd = openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    bool can = fd >= 0 && change(fd, HOST_INSERT, 0, 1) == EINVAL; /* one byte is no block: that alone is refused */
    if (fd >= 0)
        close(fd);
    return can;
}

int host_insert(int fd, uint64_t count)
{
    return change(fd, HOST_INSERT, 0, count);
}

int host_collapse(int fd, uint64_t offset, uint64_t count, uint64_t size)
{
    if (offset + count < size)
        return change(fd, HOST_COLLAPSE, offset, count);
    return ftruncate(fd, (off_t)(size - count)) == 0 ? 0 : errno; /* at the end there is nothing to be moved */
}

#else

int host_clone(int to, uint64_t to_offset, int from, uint64_t offset, uint64_t count)
{
    (void)to, (void)to_offset, (void)from, (void)offset, (void)count;
    return EOPNOTSUPP;
}

bool host_can_insert(int folder)
{
    (void)folder;
    return false;
}

int host_insert(int fd, uint64_t count)
{
    (void)fd, (void)count;
    return EOPNOTSUPP;
}

int host_collapse(int fd, uint64_t offset, uint64_t count, uint64_t size)
{
    (void)fd, (void)offset, (void)count, (void)size;
    return EOPNOTSUPP;
}

#endif

/* ---- Where a file has data ------------------------------------------------------------------------------- */

#if defined(SEEK_DATA) && defined(SEEK_HOLE)

int host_layout_read(host_layout *to, int fd, uint64_t block)
{
    to->count = 0;
    for (off_t end = 0;;) {
        off_t begin = lseek(fd, end, SEEK_DATA);
        if (begin < 0)
            return errno == ENXIO ? 0 : errno; /* no data up to the end of the file */
        end = lseek(fd, begin, SEEK_HOLE);
        if (end < 0)
            return errno;
        if (to->count == HOST_SEGMENTS_MOST)
            return EFBIG;
        to->segment[to->count++] = (host_segment){(uint64_t)begin, ((uint64_t)end + block - 1) / block * block};
    }
}

#else

int host_layout_read(host_layout *to, int fd, uint64_t block)
{
    (void)fd, (void)block;
    to->count = 0;
    return EOPNOTSUPP;
}

#endif

/* Are these the same segments, if those of `before` from the offset on are moved by count bytes, and of both only what
 * is at `from` or later counts? */
static bool is_moved(const host_layout *before, const host_layout *now, uint64_t offset, uint64_t count, uint64_t from)
{
    uint64_t k = 0;
    while (k < now->count && now->segment[k].end <= from)
        k++;
    for (uint64_t i = 0; i < before->count; i++) {
        host_segment one = before->segment[i];
        for (int part = 0; part < 2; part++) { /* what is before the offset, and what is not */
            host_segment left = {part == 0 || one.begin > offset ? one.begin : offset,
                                 part == 1 || one.end < offset ? one.end : offset};
            if (left.begin >= left.end)
                continue;
            left.begin += part == 0 ? 0 : count;
            left.end += part == 0 ? 0 : count;
            if (k == now->count || left.end != now->segment[k].end ||
                left.begin != (now->segment[k].begin > from ? now->segment[k].begin : from))
                return false;
            k++;
        }
    }
    return k == now->count;
}

/* Return the first offset at which one has data and the other a hole; UINT64_MAX if there is none. */
static uint64_t first_difference(const host_layout *one, const host_layout *other)
{
    for (uint64_t i = 0; i < one->count || i < other->count; i++) {
        const host_segment none = {UINT64_MAX, UINT64_MAX};
        host_segment a = i < one->count ? one->segment[i] : none, b = i < other->count ? other->segment[i] : none;
        if (a.begin != b.begin)
            return a.begin < b.begin ? a.begin : b.begin;
        if (a.end != b.end)
            return a.end < b.end ? a.end : b.end;
    }
    return UINT64_MAX;
}

bool host_hole_find(const host_layout *before, const host_layout *now, uint64_t count, uint64_t *offset)
{
    *offset = 0;
    if (is_moved(before, now, 0, count, count)) /* all was moved; whatever the hole has by now */
        return true;
    uint64_t end = before->count == 0 ? 0 : before->segment[before->count - 1].end;
    *offset = first_difference(before, now);
    if (*offset == UINT64_MAX) /* the hole is at the end */
        *offset = end;
    return *offset > 0 && is_moved(before, now, *offset, count, 0);
}
