#!/bin/sh
# Pack the crates, with the core as one source file (packaging/amalgamate.py), into build/rust/packed/:
#
#   assay-sys-VERSION.crate, assay-safetensors-VERSION.crate    what crates.io gets
#   workspace/                                                  where they were packed: publish from here
#
# Cargo builds both from what it has packed. A frozen list, contents.txt, states what they contain.
set -eu
cd "$(dirname "$0")/../.."
packed=build/rust/packed
target=$PWD/build/rust/target

rm -rf $packed
mkdir -p $packed/workspace $packed/dist
python3 packaging/amalgamate.py $packed/dist
# -L: licence and README are links in the tree. git ignores build/, so cargo does not ask it about changes.
cp -RL bindings/rust/Cargo.toml bindings/rust/Cargo.lock bindings/rust/README.md bindings/rust/assay-sys \
    bindings/rust/assay-safetensors $packed/workspace/
rm -r $packed/workspace/*/tests # they need the tree
mkdir $packed/workspace/assay-sys/vendor
for name in assay assay_write assay_flat assay_flat_edit; do
    cp $packed/dist/$name.c $packed/dist/$name.h $packed/workspace/assay-sys/vendor/
done
rm -rf $packed/dist "$target"/package
# Cargo unpacks assay-sys in its home, by path and version: without this it builds against what it unpacked there earlier.
rm -rf "${CARGO_HOME:-$HOME/.cargo}"/registry/src/-*/assay-sys-[0-9]*

(cd $packed/workspace && cargo package --locked --workspace --all-features --target-dir "$target") 2> $packed/log || {
    cat $packed/log >&2
    exit 1
}
if grep -A 5 '^warning' $packed/log >&2; then
    echo "bindings/rust/pack.sh: cargo package warns: fix what it names" >&2
    exit 1
fi
cp "$target"/package/*.crate $packed/
for crate in $packed/*.crate; do
    echo "${crate##*/}"
    tar -tzf "$crate" | sort | sed 's|^[^/]*/|  |'
done | sed 's/-[0-9][0-9.]*\.crate$//' > $packed/contents.txt
if ! diff bindings/rust/contents.txt $packed/contents.txt; then
    echo "bindings/rust/pack.sh: the contents are not those of bindings/rust/contents.txt: if they are right, run" \
        "cp $packed/contents.txt bindings/rust/contents.txt" >&2
    exit 1
fi
