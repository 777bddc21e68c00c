/* libcurl_load.c: see libcurl_load.h. */
#include "posix.h"

#if defined(ASSAY_CURL)

#include <dlfcn.h>
#include <string.h>

#include "libcurl_load.h"

curl_library curl;

static void *open_library(void)
{
#if defined(__APPLE__)
    static const char *const names[] = {"libcurl.4.dylib"};
#else
    static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
#endif
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && library == NULL; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    return library;
}

/* Store the address of a function. dlsym returns it as a pointer to an object, which ISO C can't convert. */
static bool find(void *library, const char *name, void *function, size_t size)
{
    void *found = dlsym(library, name);
    memcpy(function, &found, size);
    return found != NULL;
}

bool curl_load(void)
{
    void *library = open_library();
    bool fine = library != NULL;
#define FIND(name) fine = fine && find(library, "curl_" #name, &curl.name, sizeof curl.name);
    CURL_FUNCTIONS(FIND)
#undef FIND
    return fine;
}

#else

typedef int remote_nothing; /* ISO C has no empty source file */

#endif
