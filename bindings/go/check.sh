#!/bin/sh
# Check the Go module: in the tree, then as packed, by a consumer in an empty folder. Exit status 77 if Go is missing or
# too old, or the modules of go.sum can't be had. The last line is "N passed, M failed", perhaps with ", K skipped".
#
#   bindings/go/check.sh          fetches modules by go.sum
set -u
cd "$(dirname "$0")/../.." || exit 1
tree=$PWD go=$PWD/bindings/go work=$PWD/build/go
export GOFLAGS= GOWORK=off GOTOOLCHAIN=local ASSAY_TREE="$tree"
passed=0 failed=0 skipped=0

go version >/dev/null 2>&1 || {
    echo "bindings/go/check.sh: no go: install Go 1.25 or later"
    exit 77
}
rm -rf "$work/check" && mkdir -p "$work/check"
cd "$go" || exit 1
go mod download > "$work/check/download.log" 2>&1 || {
    tail -3 "$work/check/download.log"
    echo "bindings/go/check.sh: Go is older than 1.25, or the modules of go.sum can't be fetched: run go mod download" \
        "in bindings/go where the module proxy is reached"
    exit 77
}

step() { # NAME COMMAND...: counts the tests that go test -v reports, otherwise one; a test that is skipped is a failure
    name=$1 log="$work/check/$1.log" start=$(date +%s)
    shift
    "$@" > "$log" 2>&1
    status=$?
    if grep -q '^ *--- SKIP' "$log"; then
        status="0, but tests were skipped"
    fi
    if [ "$status" = 0 ]; then
        tests=$(grep -c '^ *--- PASS' "$log")
        [ "${tests:-0}" != 0 ] || tests=1
        passed=$((passed + tests))
        echo "ok     $name ($tests, $(($(date +%s) - start)) s)"
    else
        failed=$((failed + 1))
        echo "FAILED $name: exit status $status, build/go/check/$name.log ends:"
        grep -v '^ *\(--- PASS\|=== RUN\)' "$log" | tail -40 | sed 's/^/    | /'
    fi
}

skip() { # NAME WHY
    skipped=$((skipped + 1))
    echo "skip   $1: $2"
}

# ---- In the tree ---------------------------------------------------------------------------------------------------

format() {
    unformatted=$(gofmt -l .)
    echo "$unformatted"
    [ -z "$unformatted" ]
}

verify() { # the modules are those of go.sum, and go.mod is tidy
    go mod verify && go mod tidy -diff
}

windows() { # it has no file flags of Unix
    CGO_ENABLED=0 GOOS=windows GOARCH=amd64 go vet ./...
}

step wasm python3 "$tree/packaging/wasm.py" --check
grep -q 'digests alone' "$work/check/wasm.log" && skip wasm-bytes "another compiler made assay.wasm"
step format format
step verify verify
step vet go vet ./...
step windows windows
step tests env CGO_ENABLED=0 go test -count=1 -v ./...
if go env CC | xargs which >/dev/null 2>&1; then
    step race env CGO_ENABLED=1 go test -race -count=1 -v -run 'Goroutines|Cancelled|Memory|Open|Slices|URL' .
else
    skip race "needs a C compiler"
fi
if [ "$(go env GOHOSTARCH)" = amd64 ]; then # int has 32 bits, and wazero interprets
    step 32-bit env GOARCH=386 go test -short -count=1 -v -run 'Open|Many|Slices|NoFile|Shorter|Errors|Tables|URL' .
else
    skip 32-bit "needs amd64"
fi
step fuzz go test -run '^$' -fuzz FuzzCheck -fuzztime "${FUZZ_SECONDS:-20}s" -test.fuzzcachedir="$work/fuzz" .
step bench go test -run '^$' -bench . -benchtime 1x .

# ---- As packed, in an empty folder ---------------------------------------------------------------------------------

module=$(sed -n 's/^module //p' go.mod)
version=v$(sed -n 's/^#define ASSAY_VERSION "\(.*\)"/\1/p' "$tree/include/assay_text.h")
cache=$(go env GOMODCACHE)
empty=$(mktemp -d)
trap 'chmod -R u+w "$empty"; rm -rf "$empty"' EXIT
cd "$empty" || exit 1

pack() { # twice the same bytes
    umask 022 && "$go/pack.py" "$empty/packed" && umask 077 && TZ=Asia/Tokyo "$go/pack.py" "$empty/again" &&
        diff -r packed again
}

consumer() { # a program that requires the packed module; what that requires is verified by its go.sum
    export GOPROXY="file://$empty/packed,file://$cache/cache/download" GOMODCACHE="$empty/modules" GONOSUMDB='*'
    unset ASSAY_TREE
    module_folder="$empty/modules/$(echo "$module" | sed 's/[A-Z]/!\L&/g')@$version"
    mkdir consumer && cd consumer && cp "$go/go.sum" . && go mod init consumer && go get "$module@$version" &&
        cp "$module_folder/examples/judge/main.go" . && go mod tidy && go mod verify && CGO_ENABLED=0 go build -o judge .
}

readme() { # the examples of README.md, from the packed module
    cd consumer && go test -v -run 'Example|Readme' "$module"
}

corpus() ( # verdict, code, rule and byte of every file
    cd "$tree/corpus" || exit 1
    awk -F '\t' 'NR == 1 { for (k = 1; k <= NF; k++) column[$k] = k; next }
        { print $column["verdict"] == "valid" ? "accept" : \
            "reject " $column["code"] " " $column["rule"] " " $column["offset"] }' manifest.tsv > "$empty/wanted"
    tail -n +2 manifest.tsv | cut -f 1 | "$empty/consumer/judge" | sed 's/:.*//' > "$empty/found"
    diff "$empty/wanted" "$empty/found" | head -20
    cmp "$empty/wanted" "$empty/found" && [ -s "$empty/found" ] && sed 's/^/--- PASS: /' "$empty/found"
)

runner() { # the runner of the corpus agrees
    "$tree/corpus/run.py" --batch "$empty/consumer/judge"
}

step pack pack
step consumer consumer
cd "$empty" || exit 1
step readme readme
cd "$empty" || exit 1
step corpus corpus
step runner runner

[ $skipped = 0 ] && rest= || rest=", $skipped skipped"
echo "$passed passed, $failed failed$rest"
[ $failed = 0 ]
