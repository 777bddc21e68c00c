#!/bin/sh
# Build the drivers that driver.c, slice_driver.c, index_driver.c, edit_driver.c and cuts.c describe: plain, with
# sanitizers, and by clang.
set -eu
mkdir -p build/tests
flags='-std=c11 -g -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -Iinclude -Isrc/cli -Isrc/base -Isrc/model'
for kind in plain asan clang; do
    case $kind in
    plain) cc=gcc more=-O2 core=build/gcc name=driver ;;
    asan) cc=gcc more='-O1 -fsanitize=address,undefined -fno-sanitize-recover=all' core=build/asan name=driver-asan ;;
    clang) cc=clang more=-O2 core=build/clang name=driver-clang ;;
    esac
    # shellcheck disable=SC2086
    $cc $flags $more -o build/tests/slice_$name tests/conformance/slice_driver.c $core/libassay.a
    # shellcheck disable=SC2086
    $cc $flags $more -DFLAT -o build/tests/$name tests/conformance/driver.c tests/conformance/flat_check.c \
        src/cli/rules_table.c $core/libassay.a
    # shellcheck disable=SC2086
    $cc $flags $more -o build/tests/cuts_$name tests/conformance/cuts.c $core/libassay.a
    # shellcheck disable=SC2086
    $cc $flags $more -o build/tests/index_$name -Isrc/flat tests/conformance/index_driver.c \
        src/flat/flat_index.c src/model/*.c src/base/*.c $core/libassay.a
    # shellcheck disable=SC2086
    $cc $flags $more -o build/tests/edit_$name -Isrc/edit -Isrc/flat tests/conformance/edit_driver.c \
        src/flat/flat_edit.c src/edit/*.c src/base/*.c $core/libassay.a
done
tests/unit/open_core.sh
