"""How reports, files and tensors look in a notebook: HTML in which every text of a file is escaped."""
from html import escape

from ._report import WORDS, printable

ROWS = 20  # of a table that are shown at once; further ones unfold
MOST = 1000  # rows of a table
COLORS = ("#1a7f37", "#cf222e", "#9a6700")  # of each verdict: they can be read on white and on black
_CELL = "style='text-align:left'"
_NUMBER = "style='text-align:right'"


def _three_digits(count, units, last):
    """Return (three digits of a number, its unit), so that 999,600 is 1 M and not 1000 k."""
    for unit in units:
        if count < 999.5 or unit == last:
            return ("%.3g" if count < 999.5 else "%.0f") % count, unit
        count /= 1000
    raise ValueError(last)


def size_text(count):
    """Return a number of bytes for people."""
    return "%s %s" % _three_digits(count, ("B", "kB", "MB", "GB", "TB"), "TB")


def count_text(count):
    """Return a number of elements as people name it: 124M."""
    return "%s%s" % _three_digits(count, ("", "k", "M", "B", "T"), "T")


def plural(count, word):
    return "%s %s%s" % (format(count, ","), word, "" if count == 1 else "s")


def safe(text):
    """Return a text of a file as HTML: without markup, and without characters that change the order of others."""
    return escape(printable(text))


def base_name(path):
    return (path or "").replace("\\", "/").rstrip("/").rpartition("/")[2]


def badge(verdict):
    return ("<span style='color:white;background:%s;border-radius:4px;padding:1px 6px'>%s</span>"
            % (COLORS[verdict], WORDS[verdict]))


def heading(path, verdict, message):
    name = "" if path is None else " <b title='%s'>%s</b>" % (safe(path), safe(base_name(path)))
    return "<p style='text-align:left'>%s%s %s</p>" % (badge(verdict), name, safe(message))


def table(names, rows, more=True):
    """Return a table. names: of the columns, each with "text" or "number"; rows: lists of HTML."""
    cells = [_CELL if kind == "text" else _NUMBER for _, kind in names]

    def part(some):
        head = "".join("<th %s>%s</th>" % (cell, name) for cell, (name, _) in zip(cells, names))
        return "<table>%s<tbody>%s</tbody></table>" % (
            "<thead><tr>%s</tr></thead>" % head if any(name for name, _ in names) else "",
            "".join("<tr>%s</tr>" % "".join("<td %s>%s</td>" % pair for pair in zip(cells, row)) for row in some))
    html = part(rows[:ROWS])
    if len(rows) > ROWS:
        left = len(rows) - MOST
        html += "<details><summary>%s more</summary>%s%s</details>" % (
            format(len(rows) - ROWS, ","), part(rows[ROWS:MOST]),
            "<p>and %s more</p>" % format(left, ",") if left > 0 else "")
    return html


def bar(part, whole):
    """Return a bar as long as a share."""
    return ("<span style='display:inline-block;height:0.7em;width:%.1fem;background:#4493f8;border-radius:2px'></span>"
            % (6 * part / whole if whole else 0))


def report_html(report):
    facts = [("rule", report.rule and "%s, %s" % (report.rule, report.rule_name)), ("byte", report.offset),
             ("tensor", report.tensor), ("other", report.other), ("expected", report.expected), ("found", report.found)]
    rows = [["<b>%s</b>" % name, safe(format(value, ",") if isinstance(value, int) else value)]
            for name, value in facts if value is not None]
    rows += [["<b>note %s</b>" % note.rule, safe(note.message)] for note in report.notes or ()]
    if not rows:
        return heading(report.path, report.verdict, report.message)
    return heading(report.path, report.verdict, report.message) + table([("", "text"), ("", "text")], rows)


def file_html(file):
    tensors = list(file.values())
    largest = max((tensor.nbytes for tensor in tensors), default=0)
    dtypes = sorted({tensor.dtype for tensor in tensors})
    message = "%s, %s elements, %s%s" % (plural(len(tensors), "tensor"), count_text(sum(t.size for t in tensors)),
                                         size_text(file.report.file_bytes), "".join(", " + name for name in dtypes))
    rows = [["<code>%s</code>" % safe(t.name), t.dtype, " &times; ".join(map(str, t.shape)) or "scalar",
             size_text(t.nbytes), bar(t.nbytes, largest)] for t in tensors]
    html = heading(file.report.path, file.report.verdict, message)
    html += table([("name", "text"), ("dtype", "text"), ("shape", "text"), ("size", "number"), ("", "text")], rows)
    if file.metadata:
        pairs = [["<code>%s</code>" % safe(key), safe(value if len(value) <= 200 else value[:200] + " ...")]
                 for key, value in file.metadata.items()]
        html += "<details><summary>metadata: %s</summary>%s</details>" % (
            plural(len(pairs), "pair"), table([("key", "text"), ("value", "text")], pairs))
    return html


def tensor_html(tensor):
    rows = [["<b>dtype</b>", tensor.dtype], ["<b>shape</b>", " &times; ".join(map(str, tensor.shape)) or "scalar"],
            ["<b>elements</b>", format(tensor.size, ",")], ["<b>size</b>", size_text(tensor.nbytes)],
            ["<b>bytes</b>", "%s to %s of the file" % (format(tensor.begin, ","), format(tensor.end, ","))]]
    return "<p style='text-align:left'><code>%s</code></p>%s" % (
        safe(tensor.name), table([("", "text"), ("", "text")], rows))


def model_html(report):
    files = [[badge(one.verdict), "<code>%s</code>" % safe(base_name(one.path)),
              "" if one.tensors is None else format(one.tensors, ","),
              "" if one.file_bytes is None else size_text(one.file_bytes), "" if one.valid else safe(one.message)]
             for one in report.files]
    found = [[safe(finding.severity), safe(base_name(finding.path or report.path)), safe(finding.message)]
             for finding in report.findings]
    html = heading(report.path, report.verdict, report.message)
    if files:
        html += table([("", "text"), ("file", "text"), ("tensors", "number"), ("size", "number"), ("", "text")], files)
    if found:
        html += table([("", "text"), ("file", "text"), ("finding", "text")], found)
    return html
