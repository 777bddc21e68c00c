"""The program: python -m assay check|ls|meta."""
import argparse
import json
import os
import sys

import assay
from assay import _file, _report


def found_in(path):
    """Return the *.safetensors files below a directory, sorted."""
    found = []
    for folder, folders, names in os.walk(path):
        folders.sort()
        found += [os.path.join(folder, name) for name in sorted(names) if name.lower().endswith(".safetensors")]
    return found


def command_check(args):
    """Check files, and the *.safetensors files below directories. Exit status: 0: all valid, 1: one is invalid, 2: none
    is invalid, but one was not judged."""
    paths, reports = [], []
    for path in args.path:
        below = found_in(path) if os.path.isdir(path) else [path]
        paths += below
        if not below:
            reports.append(_report.not_judged(path, "there is no *.safetensors file in this directory or below it"))
    if args.format == "json":
        reports += assay.check_many(paths, progress=sys.stderr.isatty(), notes=True)
        print(json.dumps([report.to_dict() for report in reports], indent=1))
    else:
        for report in reports:
            print(report)
        for report in assay.check_many(paths, notes=True):
            reports.append(report)
            if not args.quiet or not report.valid:
                print("\n".join([str(report)] + ["    note %s: %s" % (note.rule, note.message)
                                                 for note in report.notes or ()]), flush=True)
    verdicts = {report.verdict for report in reports}
    return 1 if assay.Verdict.INVALID in verdicts else 2 if assay.Verdict.NOT_JUDGED in verdicts else 0


def dangling_aliases(file):
    """Return the metadata pairs that look like an alias of a tensor that is not there: neither key nor value is the
    name of a tensor, and both have the same part after their last dot."""
    return {key: value for key, value in (file.metadata or {}).items()
            if _file.may_be_alias(key) and "." in key and "." in value and key not in file and value not in file
            and key.rpartition(".")[2] == value.rpartition(".")[2] != ""}


def command_ls(args):
    """List the tensors of a file in the order of their data."""
    with assay.open(args.file) as file:
        if args.format == "json":
            base = file.report.header_bytes + 8
            tensors = [{"name": t.name, "dtype": t.dtype, "shape": list(t.shape), "data_offsets": [t.begin - base,
                        t.end - base]} for t in sorted(file.values(), key=lambda t: t.index)]
            kinds = {"aliases": file.aliases, "dangling_aliases": dangling_aliases(file)}
            aliases = {kind: [{"name": name, "tensor": kept} for name, kept in found.items()]
                       for kind, found in kinds.items() if found}
            print(json.dumps({"tensors": tensors, **({} if file.metadata is None else {"metadata": file.metadata}),
                              **aliases}))
            return 0
        print("%15s %15s  %-11s %s" % ("BEGIN", "BYTES", "DTYPE", "SHAPE NAME"))
        for t in file.values():
            print("%15d %15d  %-11s %s %s" % (t.begin, t.nbytes, t.dtype, list(t.shape), _report.printable(t.name)))
        print(file.report.message)
    return 0


def command_meta(args):
    """Print the metadata of a file, or the value of one key."""
    with assay.open(args.file) as file:
        metadata = file.metadata or {}
        if args.key is not None and args.key not in metadata:
            print('%s: no metadata key "%s"' % (_report.printable(args.file), _report.printable(args.key)),
                  file=sys.stderr)
            return 1
        for key, value in metadata.items() if args.key is None else [(args.key, metadata[args.key])]:
            print(_report.printable(value) if args.key is not None else
                  "%s: %s" % (_report.printable(key), _report.printable(value)))
    return 0


def main(argv=None):
    parser = argparse.ArgumentParser(prog="python -m assay", description="Check that a safetensors file is valid and "
                                     "means exactly one thing.")
    parser.add_argument("--version", action="version", version="assay " + assay.__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    check = commands.add_parser("check", help="check files and directories", description=command_check.__doc__)
    check.add_argument("path", nargs="+", metavar="PATH")
    check.add_argument("--format", choices=["text", "json"], default="text")
    check.add_argument("-q", "--quiet", action="store_true", help="print no line for a valid file")
    check.set_defaults(run=command_check)
    ls = commands.add_parser("ls", help="list the tensors of a file", description=command_ls.__doc__)
    ls.add_argument("file", metavar="FILE")
    ls.add_argument("--format", choices=["text", "json"], default="text")
    ls.set_defaults(run=command_ls)
    meta = commands.add_parser("meta", help="print the metadata of a file", description=command_meta.__doc__)
    meta.add_argument("file", metavar="FILE")
    meta.add_argument("key", metavar="KEY", nargs="?")
    meta.set_defaults(run=command_meta)
    args = parser.parse_args(argv)
    try:
        return args.run(args)
    except assay.AssayError as error:
        print(error, file=sys.stderr)
        return int(error.report.verdict)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2


if __name__ == "__main__":
    sys.exit(main())
