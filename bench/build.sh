#!/bin/sh
# Build the readers that `make bench` measures: build/bench/bench. A reader that is not available is left out and named.
#
#     bench/build.sh          all: the crates by cargo, simdjson and yyjson by pip, assay
#     bench/build.sh assay    only assay: build/bench/assay, for callgrind
#
# assay is built as `make` builds it, -O2; its peers as their authors build a release, -O3.
set -eu
cd "$(dirname "$0")/.."
out=build/bench
mkdir -p $out
flags="-std=c11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Werror -Iinclude -Ibench"
version=$(sed -n 's/^VERSION *= *//p' Makefile)

make -s B=$out/core "CC=${CC:-cc}" "CFLAGS=-O2 -g" $out/core/libassay.a
${CC:-cc} $flags -c -o $out/reader_main.o bench/reader_main.c
${CC:-cc} $flags -o $out/floor bench/floor.c
${CC:-cc} $flags "-DVERSION=\"$version\"" -c -o $out/reader_assay.o bench/reader_assay.c
own="$out/reader_main.o $out/reader_assay.o $out/core/libassay.a"
if [ "${1:-all}" = assay ]; then
    ${CC:-cc} -o $out/assay $own
    exit 0
fi

peers=
libraries=

absent() { # READER WHY
    echo "left out: $1: $2"
}

# Fetch the sources of a package with pip, checked by the hash in the requirements.
source_of() { # PACKAGE
    [ -d $out/$1 ] && return 0
    mkdir -p $out/sources
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --no-binary :all: --require-hashes \
        -d $out/sources -r bench/requirements-source.txt >$out/pip.log 2>&1 || return 1
    for archive in $out/sources/*.tar.gz; do
        name=$(basename "$archive" .tar.gz)
        mkdir -p "$out/${name%-*}"
        tar xzf "$archive" -C "$out/${name%-*}" --strip-components=1
    done
    [ -d $out/$1 ]
}

if source_of yyjson; then
    [ -e $out/yyjson.o ] || ${CC:-cc} -O3 -DNDEBUG -I$out/yyjson/yyjson -c -o $out/yyjson.o $out/yyjson/yyjson/yyjson.c
    ${CC:-cc} $flags -O3 -isystem $out/yyjson/yyjson -c -o $out/reader_yyjson.o bench/reader_yyjson.c
    peers="$peers $out/yyjson.o $out/reader_yyjson.o"
else
    absent yyjson "pip could not fetch it ($out/pip.log)"
fi
if ! command -v "${CXX:-c++}" >/dev/null; then
    absent simdjson "no C++ compiler"
elif source_of fastsimdjson; then
    simd="-std=c++17 -O3 -DNDEBUG -isystem $out/fastsimdjson/vendor"
    [ -e $out/simdjson.o ] || ${CXX:-c++} $simd -w -c -o $out/simdjson.o $out/fastsimdjson/vendor/simdjson.cpp
    ${CXX:-c++} $simd -Wall -Wextra -Werror -Ibench -c -o $out/reader_simdjson.o bench/reader_simdjson.cpp
    peers="$peers $out/simdjson.o $out/reader_simdjson.o"
    libraries="-lstdc++"
else
    absent simdjson "pip could not fetch it ($out/pip.log)"
fi
if ! command -v cargo >/dev/null; then
    absent "crate, bintensors" "no cargo"
elif cargo fetch --locked --quiet --manifest-path bench/crates/Cargo.toml 2>$out/cargo.log; then
    cargo build --release --locked --offline --quiet --manifest-path bench/crates/Cargo.toml --target-dir $out/crates
    peers="$peers -Wl,-u,bench_crate,-u,bench_bintensors $out/crates/release/libbench.a"
    libraries="$libraries -lgcc_s -lpthread -ldl"
else
    absent "crate, bintensors" "cargo could not fetch them ($out/cargo.log)"
fi
${CC:-cc} -o $out/bench $own $peers $libraries -lm
