#!/bin/sh
# Check that the core's object, and those of assay_text.c and assay_write.c beside it, need only symbols that a compiler
# may emit by itself (and functions of assay.h), and have no writable data. With 32 bits this also shows that no 64-bit
# division by a variable is left, which would call a library.
set -eu
out=build/objects
mkdir -p $out
passed=0 failed=0
for cc in gcc clang; do
    for level in -O0 -O2 -Os -O3; do
        for part in -m64:core/assay -m32:core/assay -m64:core_text/assay_text -m32:core_text/assay_text \
            -m64:core_write/assay_write -m32:core_write/assay_write; do
            bits=${part%%:*} unit=${part#*:}
            object=$out/$cc$level$bits-${unit#*/}.o
            $cc -std=c11 -ffreestanding $bits $level -Iinclude -Isrc/core -Ispec -c -o $object src/$unit.c
            case $unit in
                core/assay) calls=memcpy ;;
                core_text/*) calls=assay_text_next ;;
                *) calls='assay_(parse|tensor_at|text_compare|text_next|dim_next|metadata_at)' ;;
            esac
            undefined=$(nm -u $object | awk '{ print $NF }' |
                grep -vxE "$calls|memcpy|memset|memcmp|memmove|_GLOBAL_OFFSET_TABLE_" || true)
            data=$(size -A $object |
                awk '$1 ~ /^\.(data|bss|tdata|tbss)/ && $2 > 0 && $1 !~ /^\.data\.rel\.ro/ { print $1 }')
            common=$(nm $object | awk '$(NF-1) ~ /^[CcDdBbGgSs]$/ { print $NF }')
            if [ -n "$undefined$data$common" ]; then
                echo "$object: undefined [$undefined] data [$data $common]"
                failed=$((failed + 1))
            else
                passed=$((passed + 1))
            fi
        done
    done
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
