#!/bin/sh
# Run every harness, or those named, on its seeds, the corpus and fuzz/regressions, with ASan and UBSan: nothing may
# fail. The harness differential, which requires build/differential/libreference.a, runs only if it is named.
set -u
cd "$(dirname "$0")/.." || exit 1
out=build/fuzz/replay${1:+-$1} # a place of its own: both may run at once
names=${*:-parse header structure large access decode flat index remote edit write program}
# shellcheck disable=SC2046
make -s -j2 -f fuzz/Makefile ENGINE=replay OUT="$out" $(printf "$out/%s " $names) || exit 1
rm -rf "$out/seeds"
python3 fuzz/seeds.py "$out/seeds" && python3 fuzz/seeds.py --dict --check || exit 1
passed=0 failed=0
for name in $names; do
    if "$out/$name" "$out/seeds/$name" corpus fuzz/regressions > "$out/$name.log" 2>&1; then
        echo "$name: $(tail -1 "$out/$name.log")"
        passed=$((passed + 1))
    else
        echo "$name: FAILED"
        tail -20 "$out/$name.log"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
