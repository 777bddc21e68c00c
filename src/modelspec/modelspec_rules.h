/* modelspec_rules.h: the rules of ModelSpec. modelspec_rules[MODELSPEC_MS1] is that of MS1.
 * Made by spec/generate.py from spec/modelspec.tsv, _rules and _ids: do not edit. */
#ifndef ASSAY_MODELSPEC_RULES_H
#define ASSAY_MODELSPEC_RULES_H

typedef enum { MODELSPEC_ALL, MODELSPEC_IMAGE, MODELSPEC_TEXT } modelspec_category;

typedef enum { MODELSPEC_ERROR, MODELSPEC_WARNING, MODELSPEC_INFO } modelspec_level;

/* The rules */
typedef enum {
    MODELSPEC_NONE = 0, /* no rule */
    MODELSPEC_MS1 = 1, /* version */
    MODELSPEC_MS2 = 2, /* architecture */
    MODELSPEC_MS3 = 3, /* implementation */
    MODELSPEC_MS4 = 4, /* title */
    MODELSPEC_MS5 = 5, /* resolution */
    MODELSPEC_MS6 = 6, /* data_format */
    MODELSPEC_MS7 = 7, /* should */
    MODELSPEC_MS8 = 8, /* date */
    MODELSPEC_MS9 = 9, /* hash_form */
    MODELSPEC_MS10 = 10, /* hash */
    MODELSPEC_MS11 = 11, /* thumbnail */
    MODELSPEC_MS12 = 12, /* timestep_range */
    MODELSPEC_MS13 = 13, /* encoder_layer */
    MODELSPEC_MS14 = 14, /* negative_embedding */
    MODELSPEC_MS15 = 15, /* dtypes */
    MODELSPEC_MS16 = 16, /* prediction_type */
    MODELSPEC_MS17 = 17, /* unknown_key */
    MODELSPEC_MS18 = 18 /* no_prefix */
} modelspec_rule;

typedef struct {
    const char *id, *name, *title, *statement, *advice;
    modelspec_level level;
} modelspec_rule_row;

/* [1 + MODELSPEC_RULES] */
extern const modelspec_rule_row modelspec_rules[];

#define MODELSPEC_RULES 18u

#endif
