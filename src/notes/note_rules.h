/* note_rules.h: the numbers of the notes on valid files. They are frozen, as those in assay_codes.h.
 * Made by spec/generate.py from spec/note_rules.tsv: do not edit. */
#ifndef ASSAY_NOTE_RULES_H
#define ASSAY_NOTE_RULES_H

/* One code a rule of spec/note_rules.tsv */
enum {
    NOTE_UNALIGNED = 97, /* A2 a tensor's data is not aligned to its element size */
    NOTE_NAME_HIDDEN = 98, /* A3 a name has invisible characters */
    NOTE_NUMBER_LARGE = 99, /* A5 a dimension or offset is too large for some readers */
    NOTE_TWO_FORMATS = 100, /* A6 the file is also something else */
    NOTE_NAME_PATH = 101, /* A9 a name looks like a path */
    NOTE_METADATA_CODE = 102, /* A10 the metadata names something that some programs execute */
    NOTE_METADATA_LARGE = 103, /* A11 the metadata is large */
    NOTE_INDEX_BESIDE = 104, /* A12 an index of the same model is in the same folder */
    NOTE_ALIAS_DANGLING = 105 /* A13 the metadata name a shared tensor that is not in the file */
};

#endif
