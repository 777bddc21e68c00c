#!/bin/sh
# Judge the corpus, and indexes of models, on other machines: i686 (32 bit) and s390x (big-endian), with Debian's
# cross compilers and qemu-user.
set -eu
out=build/cross
mkdir -p $out
for target in "i686-linux-gnu qemu-i386-static" "s390x-linux-gnu qemu-s390x-static"; do
    # shellcheck disable=SC2086
    set -- $target
    flags='-std=c11 -O2 -Wall -Wextra -Wconversion -Werror -Iinclude -Isrc/core -Ispec -Isrc/cli'
    $1-gcc $flags -ffreestanding -c -o $out/assay-$1.o src/core/assay.c
    $1-gcc $flags -DFLAT -static -o $out/driver-$1 tests/conformance/driver.c tests/conformance/flat_check.c \
        src/flat/flat.c src/core_text/assay_text.c src/cli/rules_table.c $out/assay-$1.o
    printf '%s: ' "$1"
    python3 tests/conformance/manifest.py --core "$2 $out/driver-$1"
    # shellcheck disable=SC2086
    $1-gcc $flags -Isrc/base -Isrc/edit -Isrc/model -Isrc/notes -Isrc/flat -static -o $out/index-$1 \
        tests/conformance/index_driver.c src/flat/*.c src/core_text/assay_text.c src/core_write/assay_write.c \
        src/edit/*.c src/model/*.c src/notes/*.c src/base/*.c $out/assay-$1.o
    printf '%s: ' "$1"
    python3 tests/conformance/index_check.py 2000 4 --driver "$2 $out/index-$1"
done
