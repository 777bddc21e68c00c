#!/bin/sh
# Lines and branches of the core that fuzzing alone reaches: replays what fuzz/run.py has found so far.
set -eu
cd "$(dirname "$0")/.."
out=build/fuzz/coverage
rm -rf $out
make -s -j2 -f fuzz/Makefile ENGINE=coverage
for name in parse header structure access decode program; do
    [ -d build/fuzz/corpus/$name ] || { echo "nothing was found yet: make fuzz"; exit 1; }
    $out/$name build/fuzz/corpus/$name > $out/$name.log
done
(cd $out && gcov --json-format --branch-probabilities seen/src/core/assay.o > gcov.log)
python3 tests/coverage.py $out/assay.gcov.json.gz
