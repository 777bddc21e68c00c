"""What a terminal and a notebook show of reports, files and tensors; progress bars."""
import html.parser
import sys
import types

import pytest

import assay
from assay import _show

HOSTILE = "</td><script>alert(1)</script>'\" onload=x&lt;\x1b[31m\u202e\ud83d\ude00"
TAGS = {"p", "span", "b", "table", "thead", "tbody", "tr", "th", "td", "code", "details", "summary"}


class Parser(html.parser.HTMLParser):
    """Refuses every tag and attribute that is not ours, and collects the text."""

    def __init__(self, text):
        super().__init__()
        self.open, self.text, self.rows = [], "", 0
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        assert tag in TAGS and {name for name, _ in attrs} <= {"style", "title"}, (tag, attrs)
        self.open.append(tag)
        self.rows += tag == "tr"

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.fixture
def hostile():
    """A name from a file, as assay returns it."""
    return HOSTILE.encode("utf-16", "surrogatepass").decode("utf-16")


def test_hostile_texts(write, tmp_path, hostile):
    path = write("<b>.safetensors", [(hostile, "F32", [2, 1], 0, 8)], bytes(8), {hostile: hostile})
    twice = write("twice.safetensors", [(hostile, "U8", [1], 0, 1), (hostile, "U8", [1], 0, 1)], b"x")
    (tmp_path / "model.safetensors.index.json").write_text(
        '{"weight_map":{"<i>a":"twice.safetensors","b":"no.safetensors"}}')
    shown = _show.printable(hostile)
    with assay.open(path) as file:
        for one, times in ((file, 3), (file[hostile], 1), (assay.check(twice), 2)):
            parsed = Parser(one._repr_html_())
            assert parsed.text.count(shown) >= times and parsed.text.isprintable()
            assert all(line.isprintable() for line in repr(one).split("\n"))
    model = assay.check_model(tmp_path)
    parsed = Parser(model._repr_html_())
    assert parsed.text.isprintable() and "M20" in parsed.text and "G2" in parsed.text
    assert repr(model).startswith("<assay.ModelReport ")


def test_report(write, twice):
    good = write("good.safetensors", [("a", "U8", [1], 0, 1)], b"x")
    assert repr(assay.check(good)) == "<assay.Report %s: valid: 1 tensor, %d bytes>" % (good, good.stat().st_size)
    parsed = Parser(assay.check(twice)._repr_html_())
    assert "invalid" in parsed.text and "G2, name_twice" in parsed.text and "byte61" in parsed.text
    assert "not judged" in Parser(assay.check("none")._repr_html_()).text


@pytest.mark.parametrize("count,rows,more", [(0, 1, ""), (1, 2, ""), (20, 21, ""), (21, 23, "1 more"),
                                             (1500, 1002, "and 500 more")])
def test_long_tables(write, count, rows, more):
    path = write("l.safetensors", [("t%04d" % k, "U8", [1], k, k + 1) for k in range(count)], bytes(count))
    with assay.open(path) as file:
        parsed = Parser(file._repr_html_())
        assert parsed.rows == rows and more in parsed.text and ("more" in parsed.text) == bool(more)
        assert _show.plural(count, "tensor") in parsed.text and len(repr(file).split("\n")) == 1 + min(count, 21)


def test_numbers():
    assert [_show.size_text(n) for n in (0, 999, 1000, 999_600, 1234567, 10**12, 10**16)] == [
        "0 B", "999 B", "1 kB", "1 MB", "1.23 MB", "1 TB", "10000 TB"]
    assert [_show.count_text(n) for n in (0, 999, 1000, 124_439_808)] == ["0", "999", "1k", "124M"]


def test_progress(write, tmp_path, monkeypatch):
    """A bar where tqdm is there; the same result without it."""
    paths = [write("%s.safetensors" % name, [(name, "U8", [1], 0, 1)], b"x") for name in "ab"]
    (tmp_path / "model.safetensors.index.json").write_text(
        '{"weight_map":{"a":"a.safetensors","b":"b.safetensors"}}')
    bars = []

    def tqdm(steps, total, unit):
        bars.append((total, unit))
        yield from steps
    right = list(assay.check_many(paths)), assay.check_model(tmp_path)
    monkeypatch.setitem(sys.modules, "tqdm", None)
    assert (list(assay.check_many(paths, progress=True)), assay.check_model(tmp_path, progress=True)) == right
    monkeypatch.setitem(sys.modules, "tqdm", types.SimpleNamespace(tqdm=tqdm))
    assert (list(assay.check_many(paths, progress=True)), assay.check_model(tmp_path, progress=True)) == right
    assert (2, "file") == bars[0] and (2, "file") in bars[1:]
