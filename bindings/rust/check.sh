#!/bin/sh
# Check the crates: in the tree, then as packed, by consumers in an empty folder. Exit status 77 if cargo or crates of
# Cargo.lock are missing. The last line is "N passed, M failed", perhaps with ", K skipped".
#
#   bindings/rust/check.sh          fetches crates by Cargo.lock
set -u
cd "$(dirname "$0")/../.." || exit 1
tree=$PWD rust=$PWD/bindings/rust work=$PWD/build/rust
export CARGO_TARGET_DIR="$work/target" RUST_BACKTRACE=0 CARGO_TERM_COLOR=never
passed=0 failed=0 skipped=0

cargo --version >/dev/null 2>&1 || {
    echo "bindings/rust/check.sh: no cargo: install Rust 1.88 or later (Debian 12: rustc-web and cargo-web)"
    exit 77
}
rm -rf "$work/check" && mkdir -p "$work/check"
cd "$rust" || exit 1
cargo fetch --locked --quiet 2> "$work/check/fetch.log" || {
    tail -3 "$work/check/fetch.log"
    echo "bindings/rust/check.sh: the crates of Cargo.lock can't be fetched: run cargo fetch where crates.io is reached"
    exit 77
}

step() { # NAME COMMAND...: counts the tests that cargo reports, otherwise one
    name=$1 log="$work/check/$1.log"
    shift
    "$@" > "$log" 2>&1
    status=$?
    if [ $status = 0 ]; then
        tests=$(awk '/^test result: ok/ { n += $4 } END { print n + 0 }' "$log")
        passed=$((passed + (tests ? tests : 1)))
        echo "ok     $name ($((tests ? tests : 1)))"
    else
        failed=$((failed + 1))
        echo "FAILED $name: exit status $status, build/rust/check/$name.log ends:"
        tail -40 "$log" | sed 's/^/    | /'
    fi
}

skip() { # NAME WHY
    skipped=$((skipped + 1))
    echo "skip   $1: $2"
}

# ---- In the tree ---------------------------------------------------------------------------------------------------

step sys cargo test --locked --quiet -p assay-sys --all-features
step crate cargo test --locked --quiet -p assay-safetensors --all-features
step crate-alloc cargo test --locked --quiet -p assay-safetensors --no-default-features --features alloc --lib
step crate-none cargo test --locked --quiet -p assay-safetensors --no-default-features --lib
step doc env RUSTDOCFLAGS=-Dwarnings cargo doc --locked --quiet --no-deps --all-features
if cargo clippy --version >/dev/null 2>&1; then
    step clippy cargo clippy --locked --quiet --all-targets --all-features -- -D warnings
    for features in "" alloc std memmap2 safetensors safetensors07 std,safetensors; do
        step "clippy-${features:-none}" cargo clippy --locked --quiet -p assay-safetensors --no-default-features \
            --features "$features" -- -D warnings
    done
else
    skip clippy "it is not installed"
fi
if cargo fmt --version >/dev/null 2>&1; then
    step format cargo fmt --check
else
    skip format "rustfmt is not installed"
fi

# ---- As packed, in an empty folder ---------------------------------------------------------------------------------

step pack ./pack.sh
packed="$work/packed"
empty=$(mktemp -d)
trap 'rm -rf "$empty"' EXIT
cd "$empty" || exit 1
for crate in "$packed"/*.crate; do
    tar -xzf "$crate"
    name=${crate##*/}
    name=${name%.crate}
    mv "$name" "${name%-*}"
done
step tokens python3 "$tree/packaging/amalgamate.py" --check "$empty/assay-sys/vendor"

# A program that has the packed crates as dependencies, and the versions of Cargo.lock.
mkdir -p consumer/src/bin
cp "$rust/Cargo.lock" consumer/
cp assay-safetensors/examples/judge.rs consumer/src/bin/
cat > consumer/Cargo.toml <<'END'
[package]
name = "consumer"
version = "0.0.0"
edition = "2021"

[dependencies]
assay-safetensors = { version = "0.1", features = ["safetensors", "memmap2"] }
safetensors = "0.8"

[patch.crates-io]
assay-safetensors = { path = "../assay-safetensors" }
assay-sys = { path = "../assay-sys" }
END
# Each Rust example of the packed README is a program.
awk '/^```rust$/ { n++; file = "consumer/src/bin/readme" n ".rs"
                   print "fn main() -> Result<(), Box<dyn std::error::Error>> {" > file; inside = 1; result = 0; next }
     /^```$/ && inside { print (result ? "}" : "    Ok(())\n}") > file; inside = 0 }
     inside { sub(/^# /, ""); sub(/Ok::<\(\), safetensors::SafeTensorError>/, "Ok::<(), Box<dyn std::error::Error>>")
              result = result || /^Ok::/; print > file }' assay-safetensors/README.md

run() { # BINARY: of the consumer
    (cd consumer && "$CARGO_TARGET_DIR/debug/$1")
}

readme() {
    [ "$(run readme1)" = "weight U8 [2]" ] && run readme2 && run readme3 && run readme4
}

corpus() ( # verdict, code, rule and byte of every file
    cd "$tree/corpus" || exit 1
    awk -F '\t' 'NR == 1 { for (k = 1; k <= NF; k++) column[$k] = k; next }
        { print $column["verdict"] == "valid" ? "accept" : \
            "reject " $column["code"] " " $column["rule"] " " $column["offset"] }' manifest.tsv > "$empty/wanted"
    tail -n +2 manifest.tsv | cut -f 1 | "$CARGO_TARGET_DIR/debug/judge" | sed 's/:.*//' > "$empty/found"
    diff "$empty/wanted" "$empty/found" | head -20
    echo "test result: ok. $(wc -l < "$empty/found") passed"
    cmp "$empty/wanted" "$empty/found" && [ -s "$empty/found" ]
)

runner() { # the runner of the corpus agrees
    "$tree/corpus/run.py" --batch "$CARGO_TARGET_DIR/debug/judge"
}

step consumer sh -c 'cd consumer && cargo build --quiet'
step readme readme
step corpus corpus
step runner runner

# ---- Without a system -----------------------------------------------------------------------------------------------

mkdir -p bare/src
cp "$rust/Cargo.lock" bare/
cat > bare/Cargo.toml <<'END'
[package]
name = "bare"
version = "0.0.0"
edition = "2021"

[lib]
crate-type = ["staticlib"]

[dependencies]
assay-safetensors = { version = "0.1", default-features = false }

[profile.release]
panic = "abort"
lto = true
codegen-units = 1

[patch.crates-io]
assay-safetensors = { path = "../assay-safetensors" }
assay-sys = { path = "../assay-sys" }
END
cat > bare/src/lib.rs <<'END'
#![no_std]
use assay::{parse, Entry, Error, Limits, Workspace};
use core::mem::MaybeUninit;

/// Return the number of tensors of a valid file, -1 for an invalid one, -2 if there is no verdict.
///
/// # Safety
///
/// `file` points to `size` bytes.
#[no_mangle]
pub unsafe extern "C" fn judge(file: *const u8, size: usize) -> i32 {
    // SAFETY: as the caller promises.
    let file = unsafe { core::slice::from_raw_parts(file, size) };
    let (mut entries, mut words) = ([MaybeUninit::<Entry>::uninit(); 16], [MaybeUninit::<u32>::uninit(); 128]);
    match parse(file, size as u64, &Limits::NONE, Workspace::new(&mut entries, &mut words)) {
        Ok(view) => {
            let known = |tensor: &assay::Tensor<'_>| view.tensor(tensor.text().as_str().unwrap_or("")).is_some();
            view.tensors().filter(known).count() as i32
        }
        Err(Error::Invalid(_)) => -1,
        Err(Error::NotJudged(_)) => -2,
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
END
cat > bare/main.c <<'END'
#include <stddef.h>
#include <stdio.h>

int judge(const unsigned char *file, size_t size);

int main(int argc, char **argv)
{
    static unsigned char bytes[1 << 16];
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL) {
        return 1;
    }
    printf("%d\n", judge(bytes, fread(bytes, 1, sizeof bytes, file)));
    return 0;
}
END

bare() { # needs nothing of a system: no symbol is missing, and it judges
    (cd bare && cargo build --quiet --release) || return 1
    library=$CARGO_TARGET_DIR/release/libbare.a
    cc -shared -nostdlib -Wl,-z,defs -Wl,--gc-sections -Wl,-u,judge -o bare/bare.so "$library" || return 1
    cc -o bare/main bare/main.c "$library" || return 1
    [ "$(bare/main "$tree/corpus/valid/real/runai-test.safetensors")" = 10 ] &&
        [ "$(bare/main "$tree/corpus/invalid/W61-same-body.safetensors")" = -1 ] && [ "$(bare/main Cargo.lock)" = "" ]
}

# The same without a system for a Cortex-M4: with an allocator too, and with the gate.
mkdir -p cortex/src
cp "$rust/Cargo.lock" cortex/
sed -e 's/"bare"/"cortex"/' -e '/^\[lib\]/,/^$/d' bare/Cargo.toml > cortex/Cargo.toml
cat >> cortex/Cargo.toml <<'END'

[features]
alloc = ["assay-safetensors/alloc"]
gate = ["assay-safetensors/safetensors"]
END
echo '#![no_std] pub use assay;' > cortex/src/lib.rs

cortex() (
    cd cortex || exit 1
    for features in "" alloc gate; do
        CC_thumbv7em_none_eabi=clang AR_thumbv7em_none_eabi=ar cargo build --quiet --release \
            --target thumbv7em-none-eabi --features "$features" || exit 1
    done
)

step bare bare
thumb=$(rustc --print sysroot)/lib/rustlib/thumbv7em-none-eabi
if [ -d "$thumb" ] && command -v clang >/dev/null; then
    step cortex cortex
else
    skip cortex "needs clang and the target thumbv7em-none-eabi (rustup target add thumbv7em-none-eabi)"
fi

[ $skipped = 0 ] && rest= || rest=", $skipped skipped"
echo "$passed passed, $failed failed$rest"
[ $failed = 0 ]
