#!/bin/sh
# Check that everything the tests need is installed, for Debian 12: exit status 0, or 1 and a message that names what
# is missing.
#
#   tests/deps.sh [check|prove|fuzz|bench|embed|disks]             installs nothing
#   tests/deps.sh --install [check|prove|fuzz|bench|embed|disks]   installs it: packages as root, else it prints the
#                                                            command to run; for `check` and `embed` also Python
#                                                            packages, into build/
set -eu

install=
[ "${1:-}" != --install ] || { install=1; shift; }
what=${1:-check}
missing=

need() { # COMMAND PACKAGE...
    command -v "$1" >/dev/null 2>&1 || { shift; missing="$missing $*"; }
}

need_file() { # FILE PACKAGE
    [ -e "$1" ] || missing="$missing $2"
}

find_missing() {
    missing=
    need python3 python3
    need cc gcc libc6-dev
    need make make
    need nm binutils
    if [ "$what" = prove ]; then
        need frama-c frama-c-base
        need why3 why3
        need z3 z3
        need cvc4 cvc4
    elif [ "$what" = embed ]; then
        need git git
        need pkg-config pkg-config
        need cmake cmake
        need meson meson
        need ninja ninja-build
        need dpkg-buildpackage dpkg-dev
        need dh debhelper
        need lintian lintian
        need_file /usr/include/seccomp.h libseccomp-dev
        need curl-config libcurl4-openssl-dev
        python3 -c 'import ensurepip' 2>/dev/null || missing="$missing python3-venv"
        need clang clang
        need llvm-size llvm
        need wasm-ld lld
        need mcs mono-mcs
        need mono mono-runtime
        need javac default-jdk-headless
        need mvn maven
        need node nodejs
        need npm npm
        need chromium chromium
        need musl-gcc musl-tools
        need i686-linux-gnu-gcc gcc-i686-linux-gnu libc6-dev-i386-cross
        need aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu libc6-dev-arm64-cross
        need arm-linux-gnueabihf-gcc gcc-arm-linux-gnueabihf libc6-dev-armhf-cross
        need riscv64-linux-gnu-gcc gcc-riscv64-linux-gnu libc6-dev-riscv64-cross
        need s390x-linux-gnu-gcc gcc-s390x-linux-gnu libc6-dev-s390x-cross
        need powerpc64le-linux-gnu-gcc gcc-powerpc64le-linux-gnu libc6-dev-ppc64el-cross
        need x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64
        need i686-w64-mingw32-gcc gcc-mingw-w64-i686
        need wine wine wine64
        need arm-none-eabi-gcc gcc-arm-none-eabi
        need riscv64-unknown-elf-gcc gcc-riscv64-unknown-elf
        need qemu-aarch64-static qemu-user-static
    elif [ "$what" = disks ]; then
        need gcc gcc libc6-dev
        need pkg-config pkg-config
        need_file /usr/include/seccomp.h libseccomp-dev
        need qemu-system-x86_64 qemu-system-x86
        need_file "$(ls /boot/vmlinuz-* 2>/dev/null | tail -1)" linux-image-amd64
        need_file /bin/busybox busybox-static
        need cpio cpio
        need_file /sbin/modprobe kmod
        need_file /sbin/mkfs.ext4 e2fsprogs
        need_file /sbin/mkfs.xfs xfsprogs
        need_file /sbin/mkfs.btrfs btrfs-progs
    elif [ "$what" = bench ]; then
        need c++ g++
        need git git
        need valgrind valgrind
        python3 -c 'import ensurepip' 2>/dev/null || missing="$missing python3-venv"
        python3 -m pip --version >/dev/null 2>&1 || missing="$missing python3-pip"
    else
        need gcc gcc libc6-dev
        need c++ g++
        need git git
        need clang clang
        need clang llvm
        need_file "$(clang -print-resource-dir 2>/dev/null)/lib/linux/libclang_rt.fuzzer-$(uname -m).a" \
            libclang-rt-14-dev
        need z3 z3
        need valgrind valgrind
        need pkg-config pkg-config
        need_file /usr/include/check.h check
        need_file /usr/include/seccomp.h libseccomp-dev
        need curl-config libcurl4-openssl-dev
        need openssl openssl
        python3 -c 'import ensurepip' 2>/dev/null || missing="$missing python3-venv"
        need i686-linux-gnu-gcc gcc-i686-linux-gnu libc6-dev-i386-cross
        need s390x-linux-gnu-gcc gcc-s390x-linux-gnu libc6-dev-s390x-cross
        need qemu-s390x-static qemu-user-static
        need musl-gcc musl-tools
        [ "$what" != fuzz ] || need afl-fuzz afl++
    fi
}

goal=deps
[ "$what" = check ] || goal=deps-$what
find_missing
if [ -z "$install" ]; then
    [ -n "$missing" ] || exit 0
    echo "tests/deps.sh: missing Debian packages:$missing: run make $goal (as root)" >&2
    exit 1
fi
if [ -n "$missing" ]; then
    line="apt-get install -y --no-install-recommends$missing"
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        echo "tests/deps.sh: missing Debian packages:$missing: run as root: $line" >&2
        exit 1
    fi
    echo "installing:$missing"
    mkdir -p build
    log=build/deps.log
    if ! { apt-get update && DEBIAN_FRONTEND=noninteractive $line; } >$log 2>&1 </dev/null; then
        tail -5 $log
        echo "tests/deps.sh: apt-get failed ($log): run as root: $line" >&2
        exit 1
    fi
    find_missing
    if [ -n "$missing" ]; then
        echo "tests/deps.sh: still missing after apt-get:$missing" >&2
        exit 1
    fi
fi
# What Debian doesn't have; without a network the steps that need it are skipped.
case $what in
check) python3 tests/fixtures/fetch.py ;;
embed) python3 packaging/check.py --fetch ;;
fuzz)
    ASSAY_FETCH=1 fuzz/differential/build.sh || echo "tests/deps.sh: no reference crates: no harness differential"
    ;;
esac
