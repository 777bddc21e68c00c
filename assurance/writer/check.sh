#!/bin/sh
# Compare the heads that assay writes with those of the reference on generated descriptions: COUNT (10,000), SEED (1).
# Exit status 77 if cargo or its crates are missing; make deps-fuzz fetches them (ASSAY_FETCH=1).
set -eu
cd "$(dirname "$0")/../.."
out=build/writer
here=assurance/writer
mkdir -p $out

offline=--offline
[ "${ASSAY_FETCH:-}" != 1 ] || offline=
# shellcheck disable=SC2086
cargo fetch $offline --locked --quiet --manifest-path $here/Cargo.toml || exit 77
cargo build --release --locked --offline --quiet --manifest-path $here/Cargo.toml --target-dir $out
for san in "" "-fsanitize=address,undefined -fno-sanitize-recover=all"; do
    # shellcheck disable=SC2086
    ${CC:-gcc} -std=c11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Wshadow -Wconversion -Werror $san -Iinclude -Isrc/core \
        -o $out/written_heads${san:+-asan} $here/written_heads.c src/core/assay.c src/core_text/assay_text.c \
        src/core_write/assay_write.c $out/release/libreference_writer.a -lgcc_s -lpthread -lm -ldl
done
$out/written_heads-asan 1000 "${2:-1}" | sed 's/^/ASan and UBSan: /'
$out/written_heads "${1:-10000}" "${2:-1}"
