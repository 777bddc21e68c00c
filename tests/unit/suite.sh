#!/bin/sh
# Build and run the Check suite tests/unit/test_NAME.c: plain, with ASan and UBSan, under valgrind.
set -eu
name=$1
out=build/suites
mkdir -p $out
# -w: the core's headers declare internal functions static, and core-open has them.
flags='-std=c11 -g -O1 -w -Iinclude -Isrc/core -Isrc/base -Isrc/host -Isrc/remote -Ispec -Itests/unit'
tests/unit/open_core.sh
libs="$(pkg-config --cflags --libs check)"
san='-fsanitize=address,undefined -fno-sanitize-recover=all'
# shellcheck disable=SC2086
{
    gcc $flags -o $out/$name tests/unit/test_$name.c build/tests/core-open-plain.o build/gcc/libassay.a $libs
    gcc $flags $san -o $out/$name-asan tests/unit/test_$name.c build/tests/core-open-asan.o build/asan/libassay.a $libs
}
for kind in "" -asan; do
    $out/$name$kind > $out/$name$kind.log 2>&1 || { cat $out/$name$kind.log; exit 1; }
done
CK_FORK=no valgrind -q --error-exitcode=9 --leak-check=full $out/$name > $out/$name-valgrind.log 2>&1 ||
    { cat $out/$name-valgrind.log; exit 1; }
grep -v -e '^Running' -e '^skipped' $out/$name.log
# A test that is skipped in one of the three runs has not passed.
cat $out/$name.log $out/$name-asan.log $out/$name-valgrind.log | sed -n '/^skipped /p' | sort -u > $out/$name-skipped
cat $out/$name-skipped
skipped=$(cut -d: -f1 $out/$name-skipped | sort -u | wc -l)
count=$(sed -n 's/^.*Checks: \([0-9]*\), Failures: 0, Errors: 0.*$/\1/p' $out/$name.log)
[ "$skipped" = 0 ] && rest= || rest=", $skipped skipped"
echo "$((${count:-0} - skipped)) passed, $([ "${count:-0}" -gt 0 ] && echo 0 || echo 1) failed$rest"
[ "${count:-0}" -gt 0 ]
