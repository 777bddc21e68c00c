#!/bin/sh
# Run `make install`, build the program of docs/embedding.md with the flags of pkg-config, and run it on a corpus
# file.
set -eu
out=$PWD/build/install
rm -rf "$out"
mkdir -p "$out"
make -s install PREFIX=/opt/assay DESTDIR="$out/root"
export PKG_CONFIG_PATH="$out/root/opt/assay/lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$out/root"
export LD_LIBRARY_PATH="$out/root/opt/assay/lib"
awk '/^```c$/ { on = !seen; seen = 1; next } /^```$/ { on = 0 } on' docs/embedding.md > "$out/example.c"
[ -s "$out/example.c" ]
cmp "$out/example.c" examples/list.c
# shellcheck disable=SC2046
cc -std=c11 -Wall -Wextra -Werror -fsanitize=address,undefined -o "$out/example" "$out/example.c" \
    $(pkg-config --cflags --libs assay)
file=$(ls corpus/valid/real/*.safetensors | head -1)
ASAN_OPTIONS=detect_leaks=0 "$out/example" "$file" | tee "$out/said"
[ -s "$out/said" ]
"$out/root/opt/assay/bin/assay" check "$file"
for file in bin/assay lib/libassay.a lib/pkgconfig/assay.pc include/assay.h include/assay_codes.h include/assay_flat.h \
    include/assay_text.h lib/libassay.so.0 share/man/man1/assay.1; do
    [ -s "$out/root/opt/assay/$file" ]
done
version=$(sed -n 's/^#define ASSAY_VERSION "\(.*\)"$/\1/p' include/assay_text.h)
[ "$version" = "$(pkg-config --modversion assay)" ] || { echo "assay_text.h has the version $version"; exit 1; }
cat > "$out/linked.cpp" << 'END'
#include "assay_text.h"
int main()
{
    assay_need need;
    assay_bound(1, &need);
    return need.head == 9 && *assay_version() ? 0 : 1;
}
END
# shellcheck disable=SC2046
c++ -Wall -Wextra -Werror -o "$out/linked" "$out/linked.cpp" $(pkg-config --cflags --libs assay)
"$out/linked"
