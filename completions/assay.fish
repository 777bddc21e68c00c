# Completion for fish. Commands and options are read from `assay COMMAND --help`, so that they are never out of date.
function __assay_commands
    assay --help | string replace -rf '^  ([a-z]+)  *(.*)' '$1\t$2'
end

function __assay_options
    set -l words (commandline -opc)
    assay $words[2] --help | string match -ra -- '(?:^| )--?[a-z0-9][a-z0-9-]*' | string trim | sort -u
end

complete -c assay -n 'test (count (commandline -opc)) = 1' -f -a '(__assay_commands)'
complete -c assay -n 'test (count (commandline -opc)) = 1' -f -a '--help --version'
complete -c assay -n 'test (count (commandline -opc)) -gt 1; and string match -q -- "-*" (commandline -ct)' -f -a '(__assay_options)'
complete -c assay -n '__fish_seen_subcommand_from rules' -f -a "(assay rules | string replace -rf '^([A-Z]+[0-9]+) .*' '\$1')"
