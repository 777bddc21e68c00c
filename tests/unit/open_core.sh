#!/bin/sh
# Build build/tests/core-open-plain.o and core-open-asan.o, if they are older than the core: the core without `static`,
# so that the unit suites can call its internal functions.
set -eu
mkdir -p build/tests
for kind in plain asan; do
    object=build/tests/core-open-$kind.o
    [ $kind = plain ] && more=-O2 || more='-O1 -fsanitize=address,undefined -fno-sanitize-recover=all'
    if [ ! -e $object ] || [ -n "$(find src/core include -name '*.[ch]' -newer $object)" ]; then
        # shellcheck disable=SC2086
        gcc -std=c11 -g $more -ffreestanding -Dstatic= -Dinline= -Iinclude -Isrc/core -c -o $object.$$ src/core/assay.c
        mv $object.$$ $object
    fi
done
