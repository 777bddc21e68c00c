#!/bin/bash -eu
# Builds the harnesses as OSS-Fuzz and ClusterFuzzLite want them: programs, dictionaries and seeds in $OUT, by what
# fuzz/Makefile takes for ENGINE=given. Runs in the tree of assay.
rm -rf build/fuzz/given
make -s -j2 -f fuzz/Makefile ENGINE=given OUT=build/fuzz/given
python3 fuzz/seeds.py --zip "$OUT"
for name in parse header structure access decode program; do
    cp "build/fuzz/given/$name" "$OUT/"
    printf '[libfuzzer]\nmax_len = 4096\n' > "$OUT/$name.options"
done
