#!/usr/bin/env python3
"""Run docs/python.ipynb, and compare what its cells print and show with what is stored in it.

    notebook.py PATH            needs nbclient and ipykernel (requirements-notebook.txt), and the package
    notebook.py --write PATH    store what they print and show

The notebook makes its files in a folder of its own, so that the output is the same everywhere.
"""
import re
import sys

import nbclient
import nbformat


def shown(cell):
    """Return what a cell has printed and shown, without what differs from run to run."""
    found = []
    for output in cell.get("outputs", []):
        if output["output_type"] == "stream":
            found.append((output["name"], output["text"]))
        elif output["output_type"] == "error":
            found.append(("error", "%s: %s" % (output["ename"], output["evalue"])))
        else:
            found += sorted((kind, "".join(text)) for kind, text in output["data"].items())
    return found


def first(one, other):
    """Return what one has from the first difference on."""
    one, other = repr(one), repr(other)
    same = next((k for k, (a, b) in enumerate(zip(one, other)) if a != b), 0)
    return "... " + one[same:same + 200]


def main(arguments):
    path = arguments[-1]
    book = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    before = [shown(cell) for cell in book.cells]
    nbclient.NotebookClient(book, timeout=120, kernel_name="python3").execute()
    for cell in book.cells:
        cell.metadata.pop("execution", None)  # times
    if "--write" in arguments:
        book.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
                         "language_info": {"name": "python"}}
        nbformat.write(book, path)
        return 0
    wrong = [(cell, old, shown(cell)) for cell, old in zip(book.cells, before) if shown(cell) != old]
    for cell, old, new in wrong:
        print("%s\n    stored: %s\n    now:    %s" % (cell.source, first(old, new), first(new, old)))
    cells = sum(cell.cell_type == "code" for cell in book.cells)
    tables = sum(kind == "text/html" for cell in book.cells for kind, _ in shown(cell))
    secret = [text for cell in book.cells for _, text in shown(cell) if re.search(r"/(tmp|home|root|work)/", text)]
    for text in secret:
        print("the output has a path of this machine: %s" % text[:300])
    print("%d cells, %d tables: %s" % (cells, tables, "as stored" if not wrong else "%d differ" % len(wrong)))
    return 1 if wrong or secret or not tables else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
