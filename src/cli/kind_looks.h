/* kind_looks.h: marks of kinds of files that a table can't hold. Of each: do the first bytes of a file look so? */
#ifndef ASSAY_KIND_LOOKS_H
#define ASSAY_KIND_LOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOOK(name) bool look_##name(const uint8_t *start, size_t count)

/* ZIP archives, by the name of their first member. */
LOOK(data_pkl);
LOOK(npy);
LOOK(keras);

/* Binary formats. */
LOOK(pickle);
LOOK(pickle_old);
LOOK(ggml);
LOOK(onnx);
LOOK(msgpack);
LOOK(pe);
LOOK(mach_o);
LOOK(script);

/* Text. */
LOOK(html);
LOOK(xml);
LOOK(json);
LOOK(json_error);
LOOK(json_index);
LOOK(header_alone);
LOOK(utf_16);
LOOK(text);

/* Almost safetensors. */
LOOK(big_endian);
LOOK(32_bit);
LOOK(zeros);

#endif
