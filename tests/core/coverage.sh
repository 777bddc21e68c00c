#!/bin/sh
# Check that the tests reach every line and branch of the core, and of assay_text.c and assay_write.c beside it, except
# those in tests/core/coverage.tsv.
set -eu
out=build/coverage
rm -rf $out
mkdir -p $out
flags='-std=c11 -g -O0 -Iinclude -Isrc/core -Ispec -Isrc/cli -Itests/unit'
gcc $flags -ffreestanding -Dstatic= -Dinline= --coverage -c -o $out/core.o src/core/assay.c
gcc $flags -ffreestanding --coverage -c -o $out/words.o src/core_text/assay_text.c
gcc $flags -ffreestanding --coverage -c -o $out/write.o src/core_write/assay_write.c
link() { # NAME SOURCE...
    name=$1
    shift
    # shellcheck disable=SC2086
    gcc $flags -o "$out/$name" "$@" $out/core.o $out/words.o $out/write.o --coverage $(pkg-config --libs check)
}
link driver tests/conformance/driver.c src/cli/rules_table.c
python3 tests/conformance/manifest.py --core $out/driver
python3 assurance/model/generate_cases.py hex 1 5000 > $out/cases
python3 assurance/model/generate_cases.py hex-limits 2 2000 >> $out/cases
$out/driver < $out/cases > /dev/null
for suite in tests/unit/test_*.c; do
    ! grep -q '"../../src/remote/' "$suite" || continue # not a suite of the core
    name=$(basename "$suite" .c)
    link "$name" "$suite"
    "$out/$name" > "$out/$name.log" || { cat "$out/$name.log"; exit 1; }
done
(cd $out && gcov --json-format --branch-probabilities core.o words.o write.o > gcov.log)
python3 tests/core/coverage.py $out/*.gcov.json.gz
