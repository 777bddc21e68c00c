#!/bin/sh
# Every harness on its seeds, on the corpus as it is, and on fuzz/regressions: under ASan and UBSan, nothing may speak.
set -u
cd "$(dirname "$0")/.." || exit 1
out=build/fuzz
make -s -j2 -f fuzz/Makefile ENGINE=replay || exit 1
rm -rf $out/seeds
python3 fuzz/seeds.py $out/seeds && python3 fuzz/seeds.py --dict --check || exit 1
passed=0 failed=0
for name in parse header structure access decode program $(test -f build/differential/libreference.a && echo differential)
do
    if $out/replay/$name $out/seeds/$name corpus fuzz/regressions > $out/replay/$name.log 2>&1; then
        echo "$name: $(tail -1 $out/replay/$name.log)"
        passed=$((passed + 1))
    else
        echo "$name: FAILED"
        tail -20 $out/replay/$name.log
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
