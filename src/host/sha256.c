/* sha256.c: see sha256.h. The functions are declared here, as they have been since OpenSSL 1.1: so the program is built
 * without the headers of OpenSSL. */
#include "posix.h"

#include "sha256.h"

#if defined(ASSAY_HASH)

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define NO_CONFIGURATION 0x80u /* OPENSSL_INIT_NO_LOAD_CONFIG: nothing that openssl.cnf names is loaded */

static struct {
    int (*initialize)(uint64_t options, const void *settings);
    void *(*context_new)(void);
    void (*context_free)(void *context);
    const void *(*algorithm)(void);
    int (*begin)(void *context, const void *algorithm, void *engine);
    int (*add)(void *context, const void *bytes, size_t count);
    int (*end)(void *context, unsigned char *out, unsigned *size);
} crypto;

static bool loaded;

struct sha256 {
    void *context;
    bool failed;
};

/* Store the address of a function. dlsym returns it as a pointer to an object, which ISO C can't convert. */
static bool find(void *library, const char *name, void *function, size_t size)
{
    void *found = dlsym(library, name);
    memcpy(function, &found, size);
    return found != NULL;
}

static void *open_library(void)
{
#if defined(__APPLE__)
    static const char *const names[] = {"libcrypto.3.dylib"};
#else
    static const char *const names[] = {"libcrypto.so.3", "libcrypto.so.1.1"};
#endif
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && library == NULL; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    return library;
}

static bool find_all(void *library)
{
#define FIND(name, member) find(library, name, &crypto.member, sizeof crypto.member)
    return FIND("OPENSSL_init_crypto", initialize) && FIND("EVP_MD_CTX_new", context_new) &&
           FIND("EVP_MD_CTX_free", context_free) && FIND("EVP_sha256", algorithm) &&
           FIND("EVP_DigestInit_ex", begin) && FIND("EVP_DigestUpdate", add) && FIND("EVP_DigestFinal_ex", end);
#undef FIND
}

bool sha256_built(void)
{
    return true;
}

bool sha256_load(void)
{
    uint8_t out[SHA256_SIZE];
    if (!loaded) {
        void *library = open_library();
        loaded = library != NULL && find_all(library) && crypto.initialize(NO_CONFIGURATION, NULL) == 1;
    }
    return loaded && sha256_end(sha256_begin(), out);
}

sha256 *sha256_begin(void)
{
    sha256 *hash = loaded ? malloc(sizeof *hash) : NULL;
    if (hash == NULL)
        return NULL;
    hash->context = crypto.context_new();
    hash->failed = hash->context == NULL || crypto.begin(hash->context, crypto.algorithm(), NULL) != 1;
    return hash;
}

void sha256_add(sha256 *hash, const uint8_t *bytes, size_t count)
{
    if (hash != NULL && !hash->failed)
        hash->failed = crypto.add(hash->context, bytes, count) != 1;
}

bool sha256_end(sha256 *hash, uint8_t out[SHA256_SIZE])
{
    unsigned size = 0;
    if (hash == NULL)
        return false;
    bool fine = !hash->failed && crypto.end(hash->context, out, &size) == 1 && size == SHA256_SIZE;
    crypto.context_free(hash->context);
    free(hash);
    return fine;
}

#else

bool sha256_built(void)
{
    return false;
}

bool sha256_load(void)
{
    return false;
}

sha256 *sha256_begin(void)
{
    return NULL;
}

void sha256_add(sha256 *hash, const uint8_t *bytes, size_t count)
{
    (void)hash;
    (void)bytes;
    (void)count;
}

bool sha256_end(sha256 *hash, uint8_t out[SHA256_SIZE])
{
    (void)hash;
    (void)out;
    return false;
}

#endif
