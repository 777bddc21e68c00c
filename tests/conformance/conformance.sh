#!/bin/sh
# Test corpus/run.py: assay agrees with the corpus, the reference agrees with its profile, and a wrong reader is
# distinguished from a correct one.
set -eu
passed=0

# expects status words command...: it exits with that status, and its last line contains the words
expect() {
    status=$1 words=$2 got=0
    shift 2
    said=$(corpus/run.py "$@") || got=$?
    if [ "$got" != "$status" ] || ! printf '%s\n' "$said" | tail -n 1 | grep -q -e "$words"; then
        printf 'corpus/run.py %s: status %s; due is %s and "%s"\n%s\n' "$*" "$got" "$status" "$words" "$said"
        exit 1
    fi
    passed=$((passed + 1))
}

expect 0 ' 0 wrongly accepted, 0 wrongly rejected, 0 errors$' --batch corpus/adapters/assay.py build/assay
expect 0 ' 0 errors$' --only G4 --only empty-tensor build/assay check
expect 1 ' 0 agree, [1-9][0-9]* wrongly accepted, 0 wrongly rejected, 0 errors$' --only G4 true
expect 1 ' 0 agree, 0 wrongly accepted, [1-9][0-9]* wrongly rejected, 0 errors$' --only empty-tensor false
expect 1 ' 0 agree, .* [1-9][0-9]* errors$' --only G6 sh -c 'exit 3'
# shellcheck disable=SC2016
expect 1 ' 0 agree, .* [1-9][0-9]* errors$' --only G6 sh -c 'kill -9 $$'
expect 1 ' 0 agree, .* [1-9][0-9]* errors$' --only G6 --timeout 0.2 sh -c 'exec sleep 5'
expect 1 ' 0 agree, .* [1-9][0-9]* errors$' --only G6 --batch true
expect 1 ' 0 agree, .* [1-9][0-9]* errors$' --only G6 --batch sh -c 'while read -r _; do echo reject; done; echo reject'
expect 1 ', 1 errors$' --only G6 --batch sh -c 'while read -r _; do echo reject; done; exit 3'
if python=$(python3 -c 'import sys
sys.path.insert(0, "assurance/reference")
import readers
print("python:" + readers.package()[0])'); then
    expect 0 ' 0 errors$' --profile reference --batch "${python##*python:}" corpus/adapters/reference.py
    expect 1 ' [1-9][0-9]* wrongly accepted, 0 wrongly rejected, 0 errors$' --batch "${python##*python:}" \
        corpus/adapters/reference.py
    expect 0 ' 0 errors$' --profile reference --only H9 "${python##*python:}" corpus/adapters/reference.py
else
    printf '%s\n' "$python"
fi
echo "$passed passed, 0 failed"
