#!/bin/sh
# Is the OSS-Fuzz project whole? Runs its build script with what OSS-Fuzz sets, and each fuzzer for 100 executions.
set -eu
cd "$(dirname "$0")/../.."
OUT=$PWD/build/fuzz/oss-fuzz
export OUT SRC=$PWD/.. WORK=$PWD/build/fuzz/oss-fuzz-work
export CC=clang CXX=clang++ LIB_FUZZING_ENGINE=-fsanitize=fuzzer
export FUZZING_LANGUAGE=c SANITIZER=address ARCHITECTURE=x86_64
export CFLAGS='-O1 -fno-omit-frame-pointer -gline-tables-only -fsanitize=address -fsanitize=fuzzer-no-link'
export CXXFLAGS="$CFLAGS"
rm -rf "$OUT"
mkdir -p "$OUT" "$WORK"
bash -eu fuzz/oss-fuzz/build.sh
passed=0
for name in parse header structure access decode program; do
    mkdir -p "$WORK/$name"
    python3 -m zipfile -e "$OUT/${name}_seed_corpus.zip" "$WORK/$name"
    (cd "$OUT" && "./$name" -runs=100 -max_len=4096 "-dict=$name.dict" "$WORK/$name") > "$WORK/$name.log" 2>&1 ||
        { tail -20 "$WORK/$name.log"; echo "$passed passed, 1 failed"; exit 1; }
    grep '^Done\|DONE' "$WORK/$name.log" | tail -1
    grep -q 'INITED' "$WORK/$name.log"
    passed=$((passed + 1))
done
for file in project.yaml Dockerfile; do
    [ -s fuzz/oss-fuzz/$file ] && [ -s .clusterfuzzlite/$file ] && passed=$((passed + 1))
done
echo "$passed passed, $((8 - passed)) failed"
[ $passed = 8 ]
