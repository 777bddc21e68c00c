/* modelspec_rules.c: see modelspec_rules.h.
 * Made by spec/generate.py from spec/modelspec.tsv, _rules and _ids: do not edit. */
#include "modelspec_rules.h"

const modelspec_rule_row modelspec_rules[] = {
    {"", "", "", "", MODELSPEC_INFO},
    {"MS1", "version", "no version of ModelSpec 1",
     "set it to the version of the specification that the other keys follow, such as 1.0.1", MODELSPEC_ERROR},
    {"MS2", "architecture", "missing or empty", "name the architecture, such as stable-diffusion-v1/lora",
     MODELSPEC_ERROR},
    {"MS3", "implementation", "missing or empty", "name the code base that the tensors are for, such as diffusers",
     MODELSPEC_ERROR},
    {"MS4", "title", "missing or empty", "name the model", MODELSPEC_ERROR},
    {"MS5", "resolution", "missing, or not WIDTHxHEIGHT", "write it like 1024x1024", MODELSPEC_ERROR},
    {"MS6", "data_format", "missing or empty", "name the format of the weights, such as fp16", MODELSPEC_ERROR},
    {"MS7", "should", "missing, though it should be there", "add it", MODELSPEC_INFO},
    {"MS8", "date", "not a date of ISO 8601", "write it like 2023-07-16 or 2023-07-16T18:13:38Z", MODELSPEC_WARNING},
    {"MS9", "hash_form", "not 0x and the digits of this hash",
     "write 0x and the digits in lower case, or remove the key", MODELSPEC_ERROR},
    {"MS10", "hash", "not the hash of the data",
     "compute it again with the program that wrote the file, or find out who changed the file", MODELSPEC_ERROR},
    {"MS11", "thumbnail", "not a small image as a data URL", "make the image smaller, or write it again",
     MODELSPEC_WARNING},
    {"MS12", "timestep_range", "not MIN,MAX", "write it like 0,499", MODELSPEC_WARNING},
    {"MS13", "encoder_layer", "not a number", "write it like 2", MODELSPEC_WARNING},
    {"MS14", "negative_embedding", "neither true nor false", "write true or false", MODELSPEC_WARNING},
    {"MS15", "dtypes", "not a list of known types", "write them like bf16,fp32", MODELSPEC_WARNING},
    {"MS16", "prediction_type", "neither v nor epsilon", "write v or epsilon", MODELSPEC_WARNING},
    {"MS17", "unknown_key", "not a key of ModelSpec 1.0.1", "look whether it is misspelled", MODELSPEC_INFO},
    {"MS18", "no_prefix", "a key of ModelSpec without its prefix",
     "most programs read it only with modelspec. before it", MODELSPEC_INFO},
};
