/* command_modelspec.c: assay modelspec. Files are found, judged and reported as assay check does it, and the metadata
 * of valid ones are checked besides. */
#include "cli.h"
#include "sha256.h"

int command_modelspec(const command_line *line)
{
    if (line->verify && !sha256_load()) { /* here: no worker could open the library */
        fprintf(stderr, "assay: --verify requires libcrypto of OpenSSL: %s\n",
                sha256_built() ? "install it" : "this program was built without it");
        return EXIT_ERROR;
    }
    return command_check(line);
}
