/* host.h: what needs an operating system: finding files, opening and reading them, and their verdicts. It does not
 * parse files; the core does. Nothing here relies on a file, folder or link to stay as it was a moment ago. */
#ifndef ASSAY_HOST_H
#define ASSAY_HOST_H

#include "directory_walk.h"
#include "file_verdict.h"
#include "model_names.h"
#include "open_file.h"

#endif
