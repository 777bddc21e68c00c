#!/bin/bash -eu
# Build the harnesses for OSS-Fuzz and ClusterFuzzLite: programs, dictionaries and seeds in $OUT, with ENGINE=given of
# fuzz/Makefile; without the reference, which is in Rust. Run it in the tree of assay.
rm -rf build/fuzz/given
make -s -j2 -f fuzz/Makefile ENGINE=given OUT=build/fuzz/given REFERENCE=
python3 fuzz/seeds.py --zip "$OUT"
names='parse header structure large access decode flat index remote edit'
[ "${SANITIZER:-}" = memory ] || names="$names program" # MemorySanitizer does not know all of the C library: stat64
for name in $names; do
    cp "build/fuzz/given/$name" "$OUT/"
    printf '[libfuzzer]\nmax_len = %d\n' "$(python3 fuzz/seeds.py --longest "$name")" > "$OUT/$name.options"
done
