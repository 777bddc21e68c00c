#!/bin/sh
# The demo: checks real files, a model of 16 GB and a dozen attacks. Leaves nothing behind; exit status 1 if
# a verdict is not the expected one.
#
#     demo.sh PROGRAM          (`make demo` runs this)
#
# Needs a C compiler ($CC, or cc) and POSIX utilities.
set -eu
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")"
program=${1:-build/assay}
case $program in /*) ;; *) program=$PWD/$program ;; esac
dir=$(mktemp -d "${TMPDIR:-/tmp}/assay-demo.XXXXXX")
trap 'rm -rf "$dir"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
${CC:-cc} -O1 -o "$dir/show" demo/show.c
failed=0

# number: 8 bytes, little-endian
bytes_of() {
    n=$1
    for _ in 1 2 3 4 5 6 7 8; do
        # shellcheck disable=SC2059 # the format is the byte
        printf "\\$(printf %03o $((n & 255)))"
        n=$((n >> 8))
    done
}

# file header data: a file of that header and data, the data with printf's escapes
make() {
    { bytes_of ${#2}; printf '%s' "$2"; printf '%b' "$3"; } > "$dir/$1"
}

# name dtype shape begin end: a tensor as written in a header
tensor() {
    printf '"%s":{"dtype":"%s","shape":%s,"data_offsets":[%s,%s]}' "$@"
}

# expected title file...
show() {
    "$dir/show" "$program" "$@" || failed=1
}

# rule title header data
attack() {
    make attack.safetensors "$3" "$4"
    show "$1" "$2" "$dir/attack.safetensors"
}

# Add one tensor to the model: name dims elements
add() {
    end=$((begin + 2 * $3))
    header=$header,'"'$1'":{"dtype":"BF16","shape":['$2'],"data_offsets":['$begin,$end]}
    begin=$end
}

# The layout of Llama-3.1-8B as the usual writer would store it in one file: sorted by name, BF16.
llama() {
    begin=0
    header='{"__metadata__":{"format":"pt"}'
    add lm_head.weight 128256,4096 525336576
    add model.embed_tokens.weight 128256,4096 525336576
    for i in 0 1 10 11 12 13 14 15 16 17 18 19 2 20 21 22 23 24 25 26 27 28 29 3 30 31 4 5 6 7 8 9; do
        layer=model.layers.$i
        add $layer.input_layernorm.weight 4096 4096
        add $layer.mlp.down_proj.weight 4096,14336 58720256
        add $layer.mlp.gate_proj.weight 14336,4096 58720256
        add $layer.mlp.up_proj.weight 14336,4096 58720256
        add $layer.post_attention_layernorm.weight 4096 4096
        add $layer.self_attn.k_proj.weight 1024,4096 4194304
        add $layer.self_attn.o_proj.weight 4096,4096 16777216
        add $layer.self_attn.q_proj.weight 4096,4096 16777216
        add $layer.self_attn.v_proj.weight 1024,4096 4194304
    done
    add model.norm.weight 4096 4096
    header=$header'}'
    while [ $((${#header} % 8)) -ne 0 ]; do header="$header "; done
    make "$1" "$header" ''
    # A sparse file: its data takes no room on the disk.
    dd if=/dev/null of="$dir/$1" bs=1 seek=$((8 + ${#header} + begin)) 2>/dev/null
}

printf '\n%s\n\n' "$("$program" --version | sed 1q): real files, a large model, and attacks"

set -- corpus/valid/written/*.safetensors
[ ! -e "$1" ] || show valid "Files from the official Python and Rust writers" "$@"
set -- corpus/valid/real/*.safetensors
[ ! -e "$1" ] || show valid "Files from other projects" "$@"
show valid "All valid files of the corpus, with every corner case of the format" corpus/valid

llama Llama-3.1-8B.safetensors
model=$dir/Llama-3.1-8B.safetensors
show valid "A model of 8 billion parameters (its true layout, in a sparse file)" "$model"
"$program" ls "$model" > "$dir/ls"
sed -n -e '1,3p' "$dir/ls" | sed 's/^/      /'
echo '      ...'
sed -n -e '$p' "$dir/ls" | sed 's/^/      /'
dd if=/dev/null of="$model" bs=1 seek=$((8 + ${#header} + begin - 3)) 2>/dev/null
show G3 "The same, cut off three bytes before its end" "$model"
echo

a=$(tensor a U8 '[4]' 0 4)
b=$(tensor b U8 '[4]' 4 8)
attack G5 "A ZIP archive appended to a valid model: a file of two formats" \
    "{$a}" 'abcdPK\003\004evil'
attack G4 "Two tensors that share bytes: change one, change the other" \
    "{$a,$(tensor b U8 '[4]' 2 6)}" 'abcdef'
attack G2 "The same name twice, once with an escape: readers pick different ones" \
    "{$a,$(tensor '\u0061' U8 '[4]' 4 8)}" 'abcdefgh'
attack H10 "A keyword written with an escape" \
    "{\"a\":{\"d\\u0074ype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]}}" 'abcd'
attack H20 "A size that overflows 64 bits and appears to be zero" \
    "{$(tensor a F32 '[4294967296,4294967296]' 0 0)}" ''
attack H22 "A tensor that ends before it begins" "{$(tensor a U8 '[4]' 18446744073709551615 3)}" 'abcd'
attack H23 "A name that clears the screen of a terminal" \
    "{$(tensor '\u001b[2J\u202egpj.evil' U8 '[4]' 0 3)}" 'abc'
attack H6 "A path hidden in ill-formed UTF-8" "$(printf '{"..\300\257secret":')" ''
deep='[[[[[[[[[['
for _ in 1 2 3 4; do deep=$deep$deep$deep$deep$deep$deep$deep$deep$deep$deep; done
attack H14 "A hundred thousand brackets, to overflow a reader's stack" "{\"a\":$deep" ''
{ bytes_of 9223372036854775807; printf '{}'; } > "$dir/attack.safetensors"
show F2 "A header length of 2^63 - 1, to exhaust memory" "$dir/attack.safetensors"
printf 'PK\003\004\024\000\000\000\010\000archive/data.pkl' > "$dir/attack.safetensors"
show F2 "A pickle that runs code when loaded, renamed to .safetensors" "$dir/attack.safetensors"
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 497\n' \
    > "$dir/attack.safetensors"
show F2 "Not an attack: the pointer that git clone leaves without LFS" "$dir/attack.safetensors"
echo
[ $failed = 0 ] || { echo 'A verdict is not the expected one.'; exit 1; }
echo 'Every verdict is the expected one. To check your own files:'
echo "  ${program#"$PWD"/} check PATH..."
