#!/bin/sh
# Run every function of proofs/witness.c: the preconditions of the public functions can be met.
set -eu
out=build/witness
mkdir -p $out
names=$(sed -n 's/^bool \(witness_[a-z]*\)(void)$/\1/p' proofs/witness.c)
{
    echo '#include <stdbool.h>'
    echo '#include <stdio.h>'
    for name in $names; do echo "bool $name(void);"; done
    echo 'int main(void)'
    echo '{'
    echo '    int failed = 0, passed = 0;'
    for name in $names; do printf '    if (%s()) { passed++; } else { failed++; puts("%s"); }\n' "$name" "$name"; done
    printf '%s\n' '    printf("%d passed, %d failed\n", passed, failed);'
    echo '    return failed != 0 || passed == 0;'
    echo '}'
} > $out/main.c
gcc -std=c11 -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -Iinclude -Isrc/core -Ispec \
    -o $out/witness $out/main.c proofs/witness.c build/asan/libassay.a
called=$(grep -o 'assay_[a-z_0-9]*(' proofs/witness.c | sort -u)
missing=0
for name in $(grep -oh '\bassay_[a-z_0-9]*(' include/assay.h include/assay_text.h include/assay_write.h | sort -u); do
    case "$called" in *"$name"*) ;; *) echo "proofs/witness.c does not call $name)" && missing=1 ;; esac
done
$out/witness
[ $missing = 0 ]
