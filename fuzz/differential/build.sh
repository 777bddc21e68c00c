#!/bin/sh
# Build the static library of the reference, build/differential/libreference.a, and build/differential/rows. Exit
# status 77 if cargo or its crates are missing; make deps-fuzz fetches them (ASSAY_FETCH=1).
set -eu
cd "$(dirname "$0")/../.."
target=build/differential
here=fuzz/differential

offline=--offline
[ "${ASSAY_FETCH:-}" != 1 ] || offline=
# shellcheck disable=SC2086
cargo fetch $offline --locked --quiet --manifest-path $here/Cargo.toml || exit 77
cargo build --release --locked --offline --quiet --manifest-path $here/Cargo.toml --target-dir $target
cp $target/release/libdifferential.a $target/libreference.a
${CC:-cc} -std=c11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Wshadow -Wconversion -Werror \
    -Iinclude -Isrc/cli -Ispec -Ifuzz -o $target/rows $here/rows.c fuzz/harness_differential.c fuzz/guarded_memory.c \
    fuzz/counts.c fuzz/spec_model.c src/cli/rules_table.c src/core/assay.c $target/libreference.a \
    -lgcc_s -lpthread -lm -ldl
