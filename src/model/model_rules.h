/* model_rules.h: the numbers of the rules for models of several files. They are frozen, as those in
 * assay_codes.h, and none of them is one of those.
 * Made by spec/generate.py from spec/model_rules.tsv: do not edit. */
#ifndef ASSAY_MODEL_RULES_H
#define ASSAY_MODEL_RULES_H

/* One code a rule of spec/index.md */
enum {
    MODEL_OK = 0, /* no rule is broken */
    MODEL_INDEX_LARGE = 64, /* M1 the index exceeds the size limit */
    MODEL_INDEX_EARLY = 65, /* M2 the index ends before its JSON does */
    MODEL_INDEX_START = 66, /* M3 the index does not begin with { */
    MODEL_INDEX_UNEXPECTED = 67, /* M4 a byte that JSON does not allow here */
    MODEL_INDEX_TRAILING = 68, /* M5 something follows the index's closing } */
    MODEL_INDEX_CONTROL = 69, /* M6 a control byte in a string */
    MODEL_INDEX_UTF8 = 70, /* M7 a string is not well-formed UTF-8 */
    MODEL_INDEX_ESCAPE = 71, /* M8 an escape sequence that JSON does not define */
    MODEL_INDEX_SURROGATE = 72, /* M9 an unpaired surrogate escape */
    MODEL_INDEX_NUL = 73, /* M10 \u0000 in a string */
    MODEL_INDEX_NUMBER = 74, /* M11 a number that JSON does not allow */
    MODEL_INDEX_NUMBER_RANGE = 75, /* M12 a number that some readers can't represent */
    MODEL_INDEX_DEPTH = 76, /* M13 values are nested too deep */
    MODEL_INDEX_KEY_TWICE = 77, /* M14 an object has the same key twice */
    MODEL_INDEX_TYPE = 78, /* M15 a value of the wrong type */
    MODEL_INDEX_NO_MAP = 79, /* M16 the index has no weight_map */
    MODEL_SHARD_PATH = 80, /* M17 a shard's path could lead out of the folder */
    MODEL_SHARD_SUFFIX = 81, /* M18 a shard's name does not end in .safetensors */
    MODEL_SHARDS_MANY = 82, /* M19 the index names too many shards */
    MODEL_SHARD_MISSING = 83, /* M20 a shard is missing */
    MODEL_SHARD_OUTSIDE = 84, /* M21 a shard's path leads out of the folder through a link */
    MODEL_SHARD_SWAPPED = 85, /* M22 a shard contains none of the tensors that the index assigns to it */
    MODEL_TENSOR_MISSING = 86, /* M23 tensors are missing from the shard that the index names */
    MODEL_TENSOR_UNLISTED = 87, /* M24 a shard contains tensors that the index does not list */
    MODEL_TENSOR_ELSEWHERE = 88, /* M25 a shard contains tensors that the index assigns to another */
    MODEL_SHARD_EXTRA = 89, /* M26 a shard that the index does not name */
    MODEL_FILE_BESIDE = 90, /* M27 the index does not name this file */
    MODEL_TOTAL_SIZE = 91, /* M28 total_size is not the sum of the tensors' sizes */
    MODEL_SINGLE_DIFFERS = 92, /* M29 the model in one file differs from the model of the index */
    MODEL_SINGLE_BESIDE = 93, /* M30 the model also exists in one file, and the data was not compared */
    MODEL_PART_MISSING = 94, /* M31 a file of a numbered set is missing */
    MODEL_INDEX_EMPTY = 95, /* M32 the index names no tensor */
    MODEL_PATH_CASE = 96, /* M33 two shards have paths that differ only in case */
    MODEL_FIRST = 64 /* the first of them */
};

#endif
