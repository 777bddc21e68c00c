/* modelspec_table.h: the keys and rules of ModelSpec. modelspec_check.c includes it.
 * Made by spec/generate.py from spec/modelspec.tsv, _rules and _ids: do not edit. */
#ifndef ASSAY_MODELSPEC_TABLE_H
#define ASSAY_MODELSPEC_TABLE_H

#include "modelspec_rules.h"

typedef enum { CLASS_MUST, CLASS_SHOULD, CLASS_CAN } key_class;

/* What a value has to look like. */
typedef enum { PATTERN_ANY, PATTERN_TEXT, PATTERN_VERSION, PATTERN_RESOLUTION, PATTERN_DATE,
 PATTERN_HASH, PATTERN_THUMBNAIL, PATTERN_RANGE, PATTERN_INTEGER, PATTERN_BOOLEAN, PATTERN_DTYPES,
 PATTERN_PREDICTION } key_pattern;

typedef struct {
    const char *key; /* after modelspec. */
    key_class class;
    modelspec_category category;
    key_pattern pattern;
    modelspec_rule rule;
} key_row;

static const key_row key_rows[] = {
    {"sai_model_spec", CLASS_MUST, MODELSPEC_ALL, PATTERN_VERSION, MODELSPEC_MS1},
    {"architecture", CLASS_MUST, MODELSPEC_ALL, PATTERN_TEXT, MODELSPEC_MS2},
    {"implementation", CLASS_MUST, MODELSPEC_ALL, PATTERN_TEXT, MODELSPEC_MS3},
    {"title", CLASS_MUST, MODELSPEC_ALL, PATTERN_TEXT, MODELSPEC_MS4},
    {"resolution", CLASS_MUST, MODELSPEC_IMAGE, PATTERN_RESOLUTION, MODELSPEC_MS5},
    {"data_format", CLASS_MUST, MODELSPEC_TEXT, PATTERN_TEXT, MODELSPEC_MS6},
    {"description", CLASS_SHOULD, MODELSPEC_ALL, PATTERN_ANY, MODELSPEC_MS7},
    {"author", CLASS_SHOULD, MODELSPEC_ALL, PATTERN_ANY, MODELSPEC_MS7},
    {"date", CLASS_SHOULD, MODELSPEC_ALL, PATTERN_DATE, MODELSPEC_MS8},
    {"hash_sha256", CLASS_SHOULD, MODELSPEC_ALL, PATTERN_HASH, MODELSPEC_MS9},
    {"format_type", CLASS_SHOULD, MODELSPEC_TEXT, PATTERN_ANY, MODELSPEC_MS7},
    {"hash_", CLASS_CAN, MODELSPEC_ALL, PATTERN_HASH, MODELSPEC_MS9},
    {"implementation_version", CLASS_CAN, MODELSPEC_ALL, PATTERN_ANY, MODELSPEC_NONE},
    {"license", CLASS_CAN, MODELSPEC_ALL, PATTERN_ANY, MODELSPEC_NONE},
    {"usage_hint", CLASS_CAN, MODELSPEC_ALL, PATTERN_ANY, MODELSPEC_NONE},
    {"thumbnail", CLASS_CAN, MODELSPEC_ALL, PATTERN_THUMBNAIL, MODELSPEC_MS11},
    {"tags", CLASS_CAN, MODELSPEC_ALL, PATTERN_ANY, MODELSPEC_NONE},
    {"merged_from", CLASS_CAN, MODELSPEC_ALL, PATTERN_ANY, MODELSPEC_NONE},
    {"trigger_phrase", CLASS_CAN, MODELSPEC_IMAGE, PATTERN_ANY, MODELSPEC_NONE},
    {"prediction_type", CLASS_CAN, MODELSPEC_IMAGE, PATTERN_PREDICTION, MODELSPEC_MS16},
    {"timestep_range", CLASS_CAN, MODELSPEC_IMAGE, PATTERN_RANGE, MODELSPEC_MS12},
    {"encoder_layer", CLASS_CAN, MODELSPEC_IMAGE, PATTERN_INTEGER, MODELSPEC_MS13},
    {"preprocessor", CLASS_CAN, MODELSPEC_IMAGE, PATTERN_ANY, MODELSPEC_NONE},
    {"is_negative_embedding", CLASS_CAN, MODELSPEC_IMAGE, PATTERN_BOOLEAN, MODELSPEC_MS14},
    {"unet_dtype", CLASS_CAN, MODELSPEC_IMAGE, PATTERN_DTYPES, MODELSPEC_MS15},
    {"vae_dtype", CLASS_CAN, MODELSPEC_IMAGE, PATTERN_DTYPES, MODELSPEC_MS15},
    {"language", CLASS_CAN, MODELSPEC_TEXT, PATTERN_ANY, MODELSPEC_NONE},
    {"format_template", CLASS_CAN, MODELSPEC_TEXT, PATTERN_ANY, MODELSPEC_NONE},
};

typedef struct {
    const char *prefix;
    modelspec_category category;
} id_row;

/* The ids of architectures whose category is known begin so. */
static const id_row id_rows[] = {
    {"stable-diffusion", MODELSPEC_IMAGE},
    {"stable-video-diffusion", MODELSPEC_IMAGE},
    {"stable-cascade", MODELSPEC_IMAGE},
    {"flux-1", MODELSPEC_IMAGE},
    {"chroma", MODELSPEC_IMAGE},
    {"lumina", MODELSPEC_IMAGE},
    {"gpt-neo-x", MODELSPEC_TEXT},
};

#endif
