# Completion for bash. Commands and options are read from `assay COMMAND --help`, so that they are never out of date.
_assay() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} words=
    [ "$before" != = ] || before=${COMP_WORDS[COMP_CWORD - 2]}
    [ "$word" != = ] || word=
    if [ "$COMP_CWORD" = 1 ]; then
        words="$(assay --help | sed -n 's/^  \([a-z][a-z]*\)  *.*/\1/p') --help --version"
    elif [ "$before" = --format ]; then
        words=$(assay "$command" --help | sed -n 's/^  --format F *//p' | tr ';' '\n' | sed 's/^ *//; s/:.*//')
    elif [ "$command" = rules ] && [ "${word#-}" = "$word" ]; then
        words=$(assay rules | sed '1d; s/ .*//')
    elif [ "${word#-}" != "$word" ]; then
        words=$(assay "$command" --help | grep -oE -- '(^| )--?[a-z0-9][a-z0-9-]*' | sort -u)
    fi
    # shellcheck disable=SC2207 # no word has a space
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _assay assay
