#!/bin/sh
# Run `make demo` in a clean clone, with only a C compiler, make and the tools of POSIX.
set -eu
out=$PWD/build/clone
rm -rf "$out"
mkdir -p "$out/bin"
git clone -q . "$out/repo"
for tool in cc gcc as ld ar make sh cat cp cut dd echo env expr false grep head install ls mkdir mktemp mv od printf \
    rm rmdir sed sleep sort tail test touch tr true truncate uname wc awk basename dirname date find id tee uniq cmp \
    chmod ln stat; do
    path=$(command -v "$tool" || true)
    case $path in /*) ln -s "$path" "$out/bin/$tool" ;; esac
done
cd "$out/repo"
env -i PATH="$out/bin" HOME="$out" TERM=dumb make demo </dev/null > "$out/log" 2>&1 || { cat "$out/log"; exit 1; }
lines=$(wc -l < "$out/log")
# Processor time, which other processes do not influence: the second line of `times`, such as 0m7.5s 0m1.3s.
times > "$out/times"
seconds=$(sed 's/[ms]/ /g' "$out/times" | awk 'NR == 2 { print int(($1 + $3) * 60 + $2 + $4) }')
echo "make demo: $seconds s, $lines lines"
[ "$seconds" -lt 120 ]
[ "$lines" -gt 10 ]
[ -z "$(git status --porcelain)" ]
rm -rf "$out"
