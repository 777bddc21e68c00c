/* environment.h: the variables of the environment. */
#ifndef ASSAY_BASE_ENVIRONMENT_H
#define ASSAY_BASE_ENVIRONMENT_H

#include <stdlib.h>

/* Return the value of a variable, or NULL if it is not set or empty. */
static inline const char *environment_get(const char *name)
{
    const char *value = getenv(name);
    return value == NULL || value[0] == '\0' ? NULL : value;
}

#endif
