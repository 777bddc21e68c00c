#!/bin/sh
# Check the npm package as it is packed: installed into an empty folder, tested there in Node, in a browser, and by the
# compiler of TypeScript. Exit status 77 if Node is missing or too old. The last line is "N passed, M failed", perhaps
# with ", K skipped".
#
#   bindings/javascript/check.sh [STEP [FILE...]]    all steps, or one: tests, runner, model, types, browser; of tests,
#                                                    those of the files
#   bindings/javascript/check.sh bench               times, beside JSON.parse
set -u
cd "$(dirname "$0")/../.." || exit 1
tree=$PWD here=$PWD/bindings/javascript work=$PWD/build/javascript
passed=0 failed=0 skipped=0

node --input-type=module -e 'process.exit(AbortSignal.any ? 0 : 1)' 2>/dev/null && npm --version >/dev/null 2>&1 || {
    echo "bindings/javascript/check.sh: no Node 18.17 or later with npm"
    exit 77
}
case ${1:-} in
'' | tests | runner | model | types | browser | bench) ;;
*)
    echo "bindings/javascript/check.sh: no step $1: tests, runner, model, types, browser or bench" >&2
    exit 2
    ;;
esac
rm -rf "$work" && mkdir -p "$work/logs"
empty=$(mktemp -d)
trap 'rm -rf "$empty"' EXIT

step() { # NAME COMMAND...: counts the tests of node --test, otherwise one; a test that is skipped is a failure
    name=$1 log="$work/logs/$1.log" start=$(date +%s)
    shift
    "$@" > "$log" 2>&1
    status=$?
    tests=$(sed -n 's/^# pass \([0-9]*\)$/\1/p' "$log")
    grep -q '^# \(skipped\|todo\) [1-9]' "$log" && status="0, but tests were skipped"
    if [ "$status" = 0 ] && [ "${tests:-1}" != 0 ]; then
        passed=$((passed + ${tests:-1}))
        echo "ok     $name (${tests:-1}, $(($(date +%s) - start)) s)"
    elif [ "$status" = 77 ]; then
        skipped=$((skipped + 1))
        echo "skip   $name: $(tail -1 "$log")"
    else
        failed=$((failed + 1))
        echo "FAILED $name: exit status $status, build/javascript/logs/$name.log ends:"
        grep '^ *not ok' "$log" | sed 's/^/    | /' # all of them, and then more of the first
        grep -E -A 30 '^ *not ok|rror' "$log" | head -60 | sed 's/^/    | /'
        tail -20 "$log" | sed 's/^/    | /'
    fi
}

pack() { # twice the same bytes
    "$here/pack.py" && (umask 077 && TZ=Asia/Tokyo "$here/pack.py" "$empty/again") &&
        cmp "$work"/*.tgz "$empty"/again/*.tgz
}

install() { # from the archive alone
    mkdir "$empty/user" && cd "$empty/user" && echo '{"private": true, "type": "module"}' > package.json &&
        npm install --silent --offline --no-audit --no-fund --ignore-scripts "$work"/*.tgz &&
        cp -r "$here"/test/* . && cp -r "$tree/corpus/valid/real/runai-test.safetensors" model.safetensors &&
        cp "$tree/corpus/invalid/W61-same-body.safetensors" twice.safetensors
}

tests() {
    cd "$empty/user" && ASSAY_TREE="$tree" ASSAY_README="$here/README.md" node --test --test-reporter=tap "$@"
}

runner() { # the runner of the corpus agrees
    cd "$empty/user" && "$tree/corpus/run.py" --batch node corpus_runner.mjs
}

model() { # generated files, beside the executable model: all that it states
    cd "$empty/user" && python3 "$here/test/against_model.py" "${COUNT:-3000}" node report.mjs
}

types() { # the declarations, by the compiler of package-lock.json
    mkdir "$empty/types" && cd "$empty/types" && cp "$here"/test/types/* . || return 1
    npm ci --silent --no-audit --no-fund --ignore-scripts || {
        echo "the compiler of TypeScript can't be fetched"
        return 77
    }
    cp -r "$empty/user/node_modules/assay-safetensors" node_modules/ && npx --no-install tsc --noEmit -p .
}

browser() {
    which chromium >/dev/null || {
        echo "no chromium"
        return 77
    }
    cd "$empty/user" && ASSAY_TREE="$tree" ASSAY_README="$here/README.md" node browser.mjs
}

step pack pack
step install install
one=${1:-}
[ $# = 0 ] || shift
if [ "$one" = bench ]; then
    cd "$empty/user" && ASSAY_TREE="$tree" node bench.mjs && node largest.mjs
    exit
fi
for name in tests runner model types browser; do
    [ -n "$one" ] && [ "$one" != $name ] || step $name $name "$@"
done
[ $skipped = 0 ] && rest= || rest=", $skipped skipped"
echo "$passed passed, $failed failed$rest"
[ $failed = 0 ]
