/* model_names.h: file names by which loaders choose: the index of a model, its shards, and the model in one file. */
#ifndef ASSAY_HOST_MODEL_NAMES_H
#define ASSAY_HOST_MODEL_NAMES_H

#include "open_file.h"

/* Return whether a path ends in .safetensors or .sft, which ComfyUI loads as well, in small letters or capitals: some
 * loaders take both, and some file systems. */
bool host_is_safetensors(const char *path);

/* Return whether the name at the end of a path is that of an index: *.safetensors.index.json or
 * *.safetensors.index.VARIANT.json. */
bool host_is_index(const char *path);

/* What is appended to the path of a model in one file to make the path of its index (without a variant). */
#define HOST_INDEX_SUFFIX ".index.json"

/* Return whether a name has the form STEM-NUMBER-of-COUNT.safetensors. */
bool host_is_part(const char *name);

/* Store the path of the file that holds the model of an index in one, with the same name and variant. path: as many
 * bytes as the index's path. Return false if there is no such name. */
bool host_single_path(const char *index, char *path);

/* Replace %XX in the name at the end of an address by the byte that it stands for. */
void host_unescape(char *path);

/* Look for an index of the model that the file at path holds in one. directory: as for host_open. A variant has at most
 * three parts between dots, so this takes at most four calls. */
host_beside host_index_beside(int directory, const char *path);

#endif
