#!/bin/sh
# A loader's guard: guard.sh FILE COMMAND... runs COMMAND only if FILE is valid, with a copy of it that nobody else can
# write, in the place of each word {}. Exit status: the command's; 1: invalid; 2: not judged.
set -eu
file=$1 && shift
copy=$(mktemp -d) || exit 2; trap 'rm -rf "$copy"' EXIT
[ -f "$file" ] && cp -- "$file" "$copy/model.safetensors" || exit 2
assay check "$copy/model.safetensors" >&2 || exit $?
for word; do shift && [ "$word" != '{}' ] || word=$copy/model.safetensors && set -- "$@" "$word"; done
"$@"
