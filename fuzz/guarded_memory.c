/* guarded_memory.c: memory with red zones. One arena is handed out from its beginning and released at once: a harness
 * runs thousands of times a second, and malloc would take most of the time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"

#if defined(__SANITIZE_ADDRESS__)
#define HAVE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAVE_ASAN 1
#endif
#endif
#ifdef HAVE_ASAN
#include <sanitizer/asan_interface.h>
#else
#define HAVE_ASAN 0
#define ASAN_POISON_MEMORY_REGION(from, size) ((void)(from), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(from, size) ((void)(from), (void)(size))
#endif

enum { ARENA = 1 << 28, BLOCKS = 1 << 20, ZONE = 32, ALIGN = 16 };

static _Alignas(ALIGN) uint8_t arena[ARENA];
static struct {
    uint8_t *at;
    size_t size;
} block[BLOCKS];
static size_t blocks, used;

void demand(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "oracle: %s\n", what);
        abort();
    }
}

/* Return the value of the k-th byte of a red zone. */
static uint8_t mark(size_t k)
{
    return (uint8_t)(0xC7 + 29 * k);
}

static void zone_write(uint8_t *zone)
{
    for (size_t k = 0; k < ZONE; k++) {
        zone[k] = mark(k);
    }
    ASAN_POISON_MEMORY_REGION(zone, ZONE);
}

static bool zone_intact(const uint8_t *zone)
{
    bool intact = true;
    for (size_t k = 0; k < ZONE; k++) {
        intact &= zone[k] == mark(k);
    }
    return intact;
}

void *guarded(uint64_t size, uint8_t fill)
{
    demand(blocks < BLOCKS && size < ARENA && used + size + 2 * ZONE + ALIGN <= ARENA,
           "fuzz/guarded_memory.c has too little room");
    uint8_t *at = arena + used + ZONE;
    used = (used + 2 * ZONE + (size_t)size + ALIGN - 1) / ALIGN * ALIGN;
    ASAN_UNPOISON_MEMORY_REGION(at - ZONE, (size_t)size + 2 * ZONE);
    memset(at, fill, (size_t)size);
    zone_write(at - ZONE);
    zone_write(at + size);
    block[blocks].at = at;
    block[blocks++].size = (size_t)size;
    return at;
}

void *guarded_copy(const void *bytes, uint64_t size)
{
    void *copy = guarded(size, 0);
    if (size > 0) {
        memcpy(copy, bytes, (size_t)size);
    }
    return copy;
}

/* Under ASan, the write itself is an error. */
void guard_check(void)
{
    for (size_t i = 0; i < blocks && !HAVE_ASAN; i++) {
        demand(zone_intact(block[i].at - ZONE), "something was written before an object");
        demand(zone_intact(block[i].at + block[i].size), "something was written after an object");
    }
}

void guard_drop(void)
{
    guard_check();
    ASAN_POISON_MEMORY_REGION(arena, used);
    blocks = used = 0;
}

bool all_bytes(const void *object, size_t size, uint8_t byte)
{
    const uint8_t *bytes = object;
    for (size_t k = 0; k < size; k++) {
        if (bytes[k] != byte) {
            return false;
        }
    }
    return true;
}

bool same_bytes(const void *a, const void *b, uint64_t size)
{
    return size == 0 || memcmp(a, b, (size_t)size) == 0;
}
