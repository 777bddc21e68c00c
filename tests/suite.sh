#!/bin/sh
# Builds and runs one Check suite: plain, with ASan and UBSan, under valgrind.
set -eu
name=$1
out=build/suites
mkdir -p $out
flags='-std=c11 -g -Wall -Wextra -Iinclude -Isrc/core -Ispec -Isrc/cli'
libs="$(pkg-config --libs check)"
san='-fsanitize=address,undefined -fno-sanitize-recover=all'
# shellcheck disable=SC2086
{
    gcc $flags -O1 -o $out/$name tests/suites/$name.c src/cli/rules_table.c src/core/assay.c $libs
    gcc $flags -O1 $san -o $out/$name-asan tests/suites/$name.c src/cli/rules_table.c src/core/assay.c $libs
}
$out/$name > $out/$name.log 2>&1 || { cat $out/$name.log; exit 1; }
cat $out/$name.log
$out/$name-asan > $out/$name-asan.log 2>&1 || { cat $out/$name-asan.log; exit 1; }
CK_FORK=no valgrind -q --error-exitcode=9 --leak-check=full $out/$name > $out/$name-valgrind.log 2>&1 ||
    { cat $out/$name-valgrind.log; exit 1; }
count=$(sed -n 's/^.*Checks: \([0-9]*\), Failures: 0, Errors: 0.*$/\1/p' $out/$name.log)
echo "${count:-0} passed, $([ "${count:-0}" -gt 0 ] && echo 0 || echo 1) failed"
[ "${count:-0}" -gt 0 ]
