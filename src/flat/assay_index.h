/* assay_index.h: models of several files, for callers that have no C structures, as assay_flat.h is.
 *
 * An index, *.safetensors.index.json, states which tensor is in which shard. spec/index.md has its rules, which are
 * numbers from 64 on. It is read, then each of its shards is compared with it, and at the end the whole:
 *
 *     arena_size = assay_flat_index_need(bytes, size);
 *     if (assay_flat_index_read(bytes, size, seed, arena, arena_size, out) == 0)
 *         for (k = 0; k < out[ASSAY_FLAT_INDEX_SHARDS]; k++) {
 *             assay_flat_index_path(bytes, size, arena, arena_size, k, path);
 *             open and judge this file, then
 *             count = assay_flat_index_shard(bytes, size, arena, arena_size, path[2], head, ..., finding, room);
 *         }
 *     count = assay_flat_index_end(bytes, size, arena, arena_size, finding, room);
 *
 * `bytes` is a private copy of the index: its strings are unescaped in place, and it must stay as it is while the arena
 * is in use. The arena is as that of assay_flat.h: it begins at a multiple of 8 bytes and may move between two calls.
 *
 * It needs memchr, memcmp, memmove, strchr and strlen of a C library. Tested: against spec/index_model.py, as model.h.
 */
#ifndef ASSAY_INDEX_H
#define ASSAY_INDEX_H

#include "assay_flat.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The numbers of out[0 .. ASSAY_FLAT_INDEX_OUT). */
#define ASSAY_FLAT_INDEX_CODE 0u     /* 0: an index; else the rule that is broken */
#define ASSAY_FLAT_INDEX_OFFSET 1u   /* the byte of the index at which it is broken; ASSAY_NONE: none */
#define ASSAY_FLAT_INDEX_EXPECTED 2u /* ASSAY_NONE: not set */
#define ASSAY_FLAT_INDEX_FOUND 3u
#define ASSAY_FLAT_INDEX_TENSOR 4u   /* a tensor's name: from byte out[4] on, out[5] bytes of UTF-8; 0 at 0: none */
#define ASSAY_FLAT_INDEX_SHARDS 6u   /* count of the shards */
#define ASSAY_FLAT_INDEX_TENSORS 7u  /* count of the tensors */
#define ASSAY_FLAT_INDEX_OUT 8u

/* The numbers of a finding. */
#define ASSAY_FLAT_FINDING_CODE 0u      /* the rule */
#define ASSAY_FLAT_FINDING_SHARD 1u     /* the number of a shard; ASSAY_NONE: none */
#define ASSAY_FLAT_FINDING_OTHER 2u     /* another shard that is concerned; ASSAY_NONE: none */
#define ASSAY_FLAT_FINDING_OFFSET 3u    /* in the index; ASSAY_NONE: none */
#define ASSAY_FLAT_FINDING_COUNT 4u     /* of the tensors that are concerned; 0: none */
#define ASSAY_FLAT_FINDING_EXPECTED 5u  /* ASSAY_NONE: not set */
#define ASSAY_FLAT_FINDING_FOUND 6u
#define ASSAY_FLAT_FINDING_TENSOR 7u    /* the first of them, if the index names it: from byte [7] on, [8] bytes */
#define ASSAY_FLAT_FINDING_NAME 9u      /* the same, if only the shard names it: from byte [9] of its head to [10] */
#define ASSAY_FLAT_FINDING 11u

/* The most findings that one call has. */
#define ASSAY_FLAT_FINDINGS(shards) (3u * (uint64_t)(shards) + 1u)

/* Return the bytes of arena for an index. O(size). */
uint64_t assay_flat_index_need(const uint8_t *bytes, uint64_t size);

/* Read an index. The seed should be random, so that no file can choose its collisions. Set out. Returns: out[0]; or
 * ASSAY_USAGE or ASSAY_WORKSPACE, as assay_flat_parse does, with the rest of out 0. Expected cost O(size). */
uint32_t assay_flat_index_read(uint8_t *bytes, uint64_t size, uint64_t seed, void *arena, uint64_t arena_size,
                               uint64_t *out);

/* Write where the path of the k-th shard is, in the order of the paths: from byte path[0] of the index on, path[1]
 * bytes of UTF-8 without control bytes, relative to the folder of the index, and never out of it. path[2] is the
 * shard's number, by which the functions below and findings know it. Returns: 1, or 0 if there is none. O(1). */
uint32_t assay_flat_index_path(const uint8_t *bytes, uint64_t size, void *arena, uint64_t arena_size, uint64_t k,
                               uint64_t *path);

/* Compare a shard, a valid file, by its head and the arena of assay_flat_parse. Write findings to
 * finding[0 .. room * ASSAY_FLAT_FINDING), as many as there is room for. Returns: how many there are. Expected cost:
 * O(bytes of its header). */
uint64_t assay_flat_index_shard(const uint8_t *bytes, uint64_t size, void *arena, uint64_t arena_size, uint64_t shard,
                                const uint8_t *head, uint64_t head_size, const void *view, uint64_t view_size,
                                uint64_t *finding, uint64_t room);

/* State that the tensors of a shard are unknown: code is that of rule M20 (it is missing) or M21 (its path leads out
 * of the folder through a link), which becomes a finding, or 0 if it was judged and is not valid. Returns: how many
 * findings there are. O(1). */
uint64_t assay_flat_index_unread(const uint8_t *bytes, uint64_t size, void *arena, uint64_t arena_size, uint64_t shard,
                                 uint32_t code, uint64_t *finding, uint64_t room);

/* After the last shard: tensors that are missing, swapped shards, a wrong total_size, paths that differ in case alone.
 * Returns: how many findings there are. O(tensors + shards). */
uint64_t assay_flat_index_end(const uint8_t *bytes, uint64_t size, void *arena, uint64_t arena_size, uint64_t *finding,
                              uint64_t room);

#ifdef __cplusplus
}
#endif

#endif
