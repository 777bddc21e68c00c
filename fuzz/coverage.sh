#!/bin/sh
# Measure the lines and branches of the core that fuzzing alone reaches: replay the seeds and the inputs that
# fuzz/run.py has found. fuzz/coverage.tsv excuses what it can't reach. Writes build/fuzz/coverage.txt, for
# fuzz/report.py.
set -eu
cd "$(dirname "$0")/.."
out=build/fuzz/coverage
rm -rf $out
make -s -j2 -f fuzz/Makefile ENGINE=coverage
python3 fuzz/seeds.py $out/seeds
for name in parse header structure access decode flat program; do
    mkdir -p build/fuzz/corpus/$name
    $out/$name $out/seeds/$name build/fuzz/corpus/$name > $out/$name.log
done
(cd $out && gcov --json-format --branch-probabilities seen/src/core/assay.o > gcov.log)
status=0
python3 tests/core/coverage.py $out/assay.gcov.json.gz fuzz/coverage.tsv > build/fuzz/coverage.txt || status=$?
cat build/fuzz/coverage.txt
exit $status
