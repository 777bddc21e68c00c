#!/bin/sh
# Test the crates on other machines, as far as Rust has their libraries here (rustup target add TARGET): all tests on a
# 32-bit and, under qemu, on a big-endian machine; a compile for Windows, macOS and WebAssembly; a compile with the
# oldest Rust that Cargo.toml states (rustup toolchain install 1.85.0); and the tests under valgrind. It takes minutes.
# Exit status 77 if nothing of that is here. The last line is "N passed, M failed", perhaps with ", K skipped".
set -u
cd "$(dirname "$0")" || exit 1
export CARGO_TARGET_DIR="$PWD/../../build/rust/machines" RUST_BACKTRACE=0 CARGO_TERM_COLOR=never
passed=0 failed=0 skipped=0
log=$CARGO_TARGET_DIR.log
mkdir -p "$CARGO_TARGET_DIR"

has() { # TARGET COMPILER [RUNNER]: otherwise it is skipped
    [ -d "$(rustc --print sysroot 2>/dev/null)/lib/rustlib/$1" ] && command -v "$2" >/dev/null &&
        { [ -z "${3:-}" ] || command -v "$3" >/dev/null; } && return
    skipped=$((skipped + 1))
    echo "skip   $1: needs the target of Rust, $2${3:+ and $3}"
    return 1
}

report() { # NAME STATUS
    tests=$(awk '/^test result: ok/ { n += $4 } END { print n + 0 }' "$log")
    if [ "$2" = 0 ]; then
        passed=$((passed + (tests ? tests : 1)))
        echo "ok     $1 ($((tests ? tests : 1)))"
    else
        failed=$((failed + 1))
        echo "FAILED $1: exit status $2, build/rust/machines.log ends:"
        tail -30 "$log" | sed 's/^/    | /'
    fi
}

all=assay-safetensors/safetensors,assay-safetensors/safetensors07,assay-safetensors/memmap2

run_tests() { # TARGET COMPILER [RUNNER]
    has "$@" || return
    name=$(echo "$1" | tr - _) upper=$(echo "$1" | tr a-z- A-Z_)
    env RUSTFLAGS=-Ctarget-feature=+crt-static "CC_$name=$2" "CARGO_TARGET_${upper}_LINKER=$2" \
        ${3:+"CARGO_TARGET_${upper}_RUNNER=$3"} \
        cargo test --quiet --locked --target "$1" --features "$all" --tests > "$log" 2>&1
    report "$1" $?
}

compile() { # TARGET COMPILER
    has "$@" || return
    name=$(echo "$1" | tr - _)
    env "CC_$name=$2" "AR_$name=ar" \
        cargo check --quiet --locked --target "$1" -p assay-safetensors --features memmap2 > "$log" 2>&1
    report "$1" $?
}

run_tests i686-unknown-linux-gnu i686-linux-gnu-gcc
run_tests s390x-unknown-linux-gnu s390x-linux-gnu-gcc qemu-s390x-static
compile x86_64-pc-windows-gnu x86_64-w64-mingw32-gcc
compile aarch64-apple-darwin clang
compile wasm32-unknown-unknown clang

# Memory errors where Rust calls C: a pointer that outlives its memory, a size that is wrong.
here=$(rustc -vV | sed -n 's/^host: //p')
if has "$here" valgrind; then
    env "CARGO_TARGET_$(echo "$here" | tr a-z- A-Z_)_RUNNER=valgrind -q --error-exitcode=9" \
        cargo test --quiet --locked -p assay-safetensors --all-features --test view --test file --test gate \
        --test corpus > "$log" 2>&1
    report valgrind $?
fi

oldest=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
if cargo "+$oldest.0" --version >/dev/null 2>&1; then
    for features in "" alloc std,memmap2,safetensors,safetensors07; do
        cargo "+$oldest.0" check --quiet --locked -p assay-safetensors --no-default-features --features "$features" \
            > "$log" 2>&1
        report "Rust $oldest, features ${features:-none}" $?
    done
else
    skipped=$((skipped + 1))
    echo "skip   Rust $oldest: rustup toolchain install $oldest.0"
fi

[ $((passed + failed)) != 0 ] || exit 77
[ $skipped = 0 ] && rest= || rest=", $skipped skipped"
echo "$passed passed, $failed failed$rest"
[ $failed = 0 ]
