/* collide.c: print names for an attacker who knows the seed: every key needs as many probes of the index as one key
 * may.
 *
 *     collide SEED COUNT TAGS PREFIX    COUNT names, one a line, in the order in which they must occur
 *
 * A name is PREFIX and a number in base 64. The names are sorted by their home slot. A name is taken if its home is
 * not too far before the slots that the names before it fill. So the names form one chain, and each probes along it.
 * Only names with a tag below TAGS are taken: of the names that a probe meets, one in TAGS is compared byte by byte.
 * The core's own functions compute home and tag, whatever the hash is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/core/assay.c"

typedef struct {
    uint32_t home, number;
} candidate;

static int by_home(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    return x->home != y->home ? x->home < y->home ? -1 : 1 : x->number < y->number ? -1 : x->number > y->number;
}

static size_t spell(char *to, const char *prefix, uint32_t number)
{
    static const char digit[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";
    size_t size = strlen(prefix), first = size;
    memcpy(to, prefix, size);
    do {
        to[size++] = digit[number % 64];
        number /= 64;
    } while (number > 0);
    for (size_t i = first, j = size - 1; i < j; i++, j--) {
        char kept = to[i];
        to[i] = to[j];
        to[j] = kept;
    }
    return size;
}

int main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    char *name = malloc(strlen(argv[4]) + 20);
    uint64_t secret = assay_hash_secret(strtoull(argv[1], NULL, 10));
    uint32_t count = (uint32_t)atol(argv[2]), tags = (uint32_t)atol(argv[3]), found = 0;
    /* More than the homes of the chain hold: half of all. A few names all get the same home. */
    uint32_t wanted = 5 * (count / 2) + (count < 100 ? count : 600), homes = count < 100 ? 1 : 2 * count;
    candidate *all = malloc(wanted * sizeof *all);
    for (uint32_t number = 0; found < wanted && number < UINT32_MAX; number++) {
        size_t size = spell(name, argv[4], number);
        name[size] = '"';
        uint32_t hash = assay_hash_text((const uint8_t *)name, 0, (uint32_t)size + 1, secret);
        uint32_t home = assay_hash_home(hash, 2 * count);
        if (assay_slot(hash, 0) >> 24 < tags && home < homes)
            all[found++] = (candidate){home, number};
    }
    qsort(all, found, sizeof *all, by_home);
    uint32_t taken = 0, first = all[0].home;
    for (uint32_t i = 0; i < found && taken < count; i++) {
        if (all[i].home > first + taken) /* a gap: the next name begins another chain */
            first = all[i].home - taken;
        if (first + taken - all[i].home < 256) {
            printf("%.*s\n", (int)spell(name, argv[4], all[i].number), name);
            taken++;
        }
    }
    return taken == count ? 0 : 1;
}
