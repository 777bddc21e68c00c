#!/bin/bash
# Test the OSS-Fuzz project like its base-builder: a clean clone in $SRC, the build script copied beside it, only the
# environment variables that its images set. Then each fuzzer runs 100 times from its seeds.
#
#     fuzz/oss-fuzz/test.sh [CONFIGURATION...]      address undefined memory afl; default: address
#
# Not tried: the images themselves, which have a newer clang and libc++, and honggfuzz.
set -eu
cd "$(dirname "$0")/../.."
top=$PWD/build/fuzz/oss-fuzz
passed=0
flags='-O1 -fno-omit-frame-pointer -gline-tables-only -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION'
see=-fsanitize=fuzzer-no-link
checks=array-bounds,bool,builtin,enum,function,integer-divide-by-zero,null,object-size,return,returns-nonnull-attribute
checks=$checks,shift,signed-integer-overflow,unreachable,vla-bound,vptr

configure() {
    cc=clang engine=libfuzzer library=-fsanitize=fuzzer sanitizer=$1
    case $1 in
    address) more="-fsanitize=address -fsanitize-address-use-after-scope $see" ;;
    undefined) more="-fsanitize=$checks,unsigned-integer-overflow -fno-sanitize-recover=$checks $see" ;;
    memory) more="-fsanitize=memory -fsanitize-memory-track-origins $see" ;;
    afl)
        cc=afl-clang-fast engine=afl sanitizer=address more='-fsanitize=address -fsanitize-address-use-after-scope'
        library=$(dirname "$(dirname "$(command -v afl-fuzz)")")/lib/afl/libAFLDriver.a ;;
    *) echo "no configuration $1"; exit 2 ;;
    esac
}

build() {
    rm -rf "$top"
    mkdir -p "$top/src" "$top/out" "$top/work"
    git clone -q . "$top/src/assay"
    cp "$top/src/assay/fuzz/oss-fuzz/build.sh" "$top/src/"
    if ! (cd "$top/src/assay" && env -i PATH="$PATH" HOME="$top" SRC="$top/src" OUT="$top/out" WORK="$top/work" \
        CC=$cc CXX=$cc++ CFLAGS="$flags $more" CXXFLAGS="$flags $more" LIB_FUZZING_ENGINE="$library" \
        FUZZING_ENGINE=$engine SANITIZER=$sanitizer ARCHITECTURE=x86_64 FUZZING_LANGUAGE=c \
        bash -eux "$top/src/build.sh") > "$top/build.log" 2>&1; then
        tail -20 "$top/build.log"
        echo "$passed passed, 1 failed"
        exit 1
    fi
}

# Steps are joined by &&: in a function whose status is tested, set -e has no effect.
run() { # NAME SEEDS
    mkdir -p "$2" && cd "$top/out" && [ -s "$1.options" ] && [ -s "$1.dict" ] &&
        python3 -m zipfile -e "$1_seed_corpus.zip" "$2" && run_$engine "$1" "$2" > "$top/work/$1.log" 2>&1
}

run_libfuzzer() {
    UBSAN_OPTIONS=silence_unsigned_overflow=1 "./$1" -runs=100 -max_len=4096 "-dict=$1.dict" "$2" &&
        grep '^Done' "$top/work/$1.log" > "$top/work/$1.sum"
}

run_afl() { # from three seeds
    find "$2" -type f | sort | tail -n +4 | xargs rm -f &&
        AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_AFFINITY=1 \
            afl-fuzz -E 100 -m none -t 5000 -i "$2" -o "$2.out" -x "$1.dict" -- "./$1" &&
        grep 'edges_found *: [1-9]' "$2.out/default/fuzzer_stats" > "$top/work/$1.sum"
}

for configuration in "${@:-address}"; do
    configure "$configuration"
    build
    for name in parse header structure large access decode flat index remote edit program; do
        [ "$sanitizer $name" = 'memory program' ] && continue # see build.sh
        : > "$top/work/$name.log"
        if ! (run $name "$top/work/$name"); then
            tail -20 "$top/work/$name.log"
            echo "$configuration $name: $passed passed, 1 failed"
            exit 1
        fi
        echo "$configuration $name: $(cat "$top/work/$name.sum")"
        passed=$((passed + 1))
    done
done
for file in {fuzz/oss-fuzz,.clusterfuzzlite}/{project.yaml,Dockerfile}; do
    [ -s $file ]
    passed=$((passed + 1))
done
echo "$passed passed, 0 failed"
