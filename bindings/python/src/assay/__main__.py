"""The program: python -m assay check|ls|meta."""
import argparse
import dataclasses
import itertools
import json
import os
import sys

import assay
from assay import _file, _model, _report, _url


def models_at(path, public_only):
    """Return a function that judges the models at a path or an address, or None if it is a file."""
    shown = {"progress": sys.stderr.isatty(), "notes": True}
    if path.lower().startswith(_url.SCHEMES):
        return lambda: [assay.check_model_url(path, public_only=public_only, **shown)]
    if os.path.isdir(path) or _model.is_index(os.path.basename(path)):
        return lambda: _model.judge_tree(path, **shown)
    return None


def results(paths, public_only):
    """Yield a verdict, and [(Report, its Findings)], for each file and each model."""
    for of_models, group in itertools.groupby(paths, lambda path: models_at(path, public_only) is not None):
        if not of_models:
            yield from ((report.verdict, [(report, [])]) for report in assay.check_many(group, notes=True))
            continue
        for path in group:
            model = None
            for model in models_at(path, public_only)():
                yield model.verdict, of_model(model)
            if model is None:
                yield assay.Verdict.NOT_JUDGED, [(_report.not_judged(path, _model.NO_FILE), [])]


def of_model(model):
    """Return [(Report, its Findings)] for each index, each file, and each file that is missing. A file that does not
    fit its model is invalid."""
    reports, findings = {}, {}
    for finding in model.findings:
        findings.setdefault(finding.path, []).append(finding)
    for report in model.indexes + model.files:  # several indexes may name one file, which is judged for each
        before = reports.get(report.path)
        if before is None or before.valid or report.invalid and not before.invalid:
            reports[report.path] = report
    for path, found in findings.items():
        error = next((finding for finding in found if finding.severity == "error"), None)
        if error is not None and (path not in reports or not reports[path].invalid):
            reports[path] = error.report()
    return [(report, findings.get(path, [])) for path, report in reports.items()]


def command_check(args):
    """Check files, models by their indexes, and all models, *.safetensors and *.sft files below folders; files and models
    on servers, of which only the headers are fetched: https://HOST/PATH, hf://OWNER/MODEL[@REVISION][/PATH]. Exit status: 0:
    all are valid, 1: one is invalid, 2: none is invalid, but one was not judged."""
    verdicts, records = set(), []
    for verdict, reports in results(args.path, args.public_only):
        verdicts.add(verdict)
        for report, findings in reports:
            if args.format == "json":
                records.append(dict(report.to_dict(), findings=[dataclasses.asdict(finding) for finding in findings]))
            elif not args.quiet or not report.valid:
                lines = ["note %s: %s" % (note.rule, note.message) for note in report.notes or ()]
                lines += ["%s: %s" % (finding.severity, finding.message) for finding in findings
                          if finding.message != report.message]
                print("\n    ".join([str(report), *lines]), flush=True)
    if args.format == "json":
        print(json.dumps(records, indent=1))
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
    check = commands.add_parser("check", help="check files, models, folders and addresses", description=command_check.__doc__)
    check.add_argument("path", nargs="+", metavar="PATH")
    check.add_argument("--format", choices=["text", "json"], default="text")
    check.add_argument("-q", "--quiet", action="store_true", help="print no line for a valid file")
    check.add_argument("--public-only", action="store_true", help="connect to public addresses only")
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
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal that has not all characters
    try:
        status = args.run(args)
        sys.stdout.flush()
        return status
    except assay.AssayError as error:
        print(error, file=sys.stderr)
        return int(error.report.verdict)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    except OSError as error:  # the output can't be written: no verdict was given
        print("assay: %s" % error, file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2


if __name__ == "__main__":
    sys.exit(main())
