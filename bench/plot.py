"""Draw the plots: MB of header a second for each workload and reader, and the curves of bench/scaling.py."""
import html
import math

COLORS = {"assay": "#1b5e9b", "assay+memory": "#6aa5d8", "crate": "#c0562f", "python": "#e2a07f",
          "bintensors": "#8a6fb0", "simdjson": "#3f8f5a", "yyjson": "#9ac7a6",
          "huggingface_hub": "#c9a227", "gguf": "#a0a0a0"}
LEFT, WIDTH, BAR, GAP, TOP = 260, 640, 13, 16, 60


def text(x, y, words, more=""):
    return '<text x="%d" y="%d" %s>%s</text>' % (x, y, more, html.escape(words))


def svg(results):
    rows = [r for r in results["rows"] if r["operation"] == "parse" and r["median"]]
    speeds = [r["bytes"] * 1e3 / r["median"] for r in rows]
    low, high = math.floor(math.log10(min(speeds))), math.ceil(math.log10(max(speeds)))

    def place(speed):
        return LEFT + WIDTH * (math.log10(speed) - low) / (high - low)

    out, y, seen = [], TOP, None
    for r, speed in zip(rows, speeds):
        if r["workload"] != seen:
            y += GAP
            out.append(text(LEFT - 8, y + BAR - 2, r["workload"], 'text-anchor="end"'))
            seen = r["workload"]
        out.append('<rect x="%d" y="%d" width="%.1f" height="%d" fill="%s"/>' % (
            LEFT, y, place(speed) - LEFT, BAR - 2, COLORS.get(r["reader"], "#888")))
        ends = [place(r["bytes"] * 1e3 / r[edge]) for edge in ("low", "high")]
        out.append('<line x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f" stroke="black"/>' % (*ends, y + 5.5, y + 5.5))
        out.append(text(max(ends) + 4, y + BAR - 3, "%s %.0f" % (r["reader"], speed), 'fill="#444"'))
        y += BAR
    for power in range(low, high + 1):
        x = place(10 ** power)
        out.insert(0, '<line x1="%.1f" x2="%.1f" y1="%d" y2="%d" stroke="#ddd"/>' % (x, x, TOP, y + 4))
        out.append(text(x, TOP - 4, "%g" % 10 ** power, 'text-anchor="middle"'))
    title = "MB of header a second, medians; the line: quartiles. %s, %s scale" % (results["machine"], results["scale"])
    out.append(text(8, 20, title))
    out.append(text(8, 38, ", ".join("%s %s" % pair for pair in results["versions"].items()), 'fill="#444"'))
    return ('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="11">\n'
            '<rect width="100%%" height="100%%" fill="white"/>\n%s\n</svg>\n' % (
                LEFT + WIDTH + 140, y + 20, "\n".join(out)))


# ---- Curves -----------------------------------------------------------------------------------------------

SERIES = {"ns": ("time, ns", "#1b5e9b"), "instructions": ("instructions", "#c0562f"),
          "workspace": ("workspace, bytes", "#3f8f5a"), "peak": ("peak, bytes", "#8a6fb0")}
PANEL_WIDTH, PANEL_HEIGHT, MARGIN = 380, 220, 50


def panel(left, top, title, axis, rows):
    """Draw one panel: the cost of a header byte; both axes are logarithmic."""
    xs = [max(r["x"], 0.5) for r in rows]
    low, high = math.log10(min(xs)), math.log10(max(xs))
    width, height = PANEL_WIDTH - MARGIN, PANEL_HEIGHT - MARGIN

    def at_x(x):
        return left + (math.log10(max(x, 0.5)) - low) / (high - low or 1) * width

    def at_y(y):
        return top + height - (math.log10(max(y, 0.01)) + 2) / 5 * height

    out = [text(left, top - 8, title, 'font-weight="bold"'),
           text(left + width, top + PANEL_HEIGHT - 22, axis, 'text-anchor="end" fill="#444"')]
    for power in range(-2, 4):
        y = at_y(10.0 ** power)
        out.append('<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#ddd"/>' % (left, left + width, y, y))
        out.append(text(left - 4, y + 4, "%g" % 10.0 ** power, 'text-anchor="end"'))
    for power in range(math.ceil(low), math.floor(high) + 1):
        out.append(text(at_x(10.0 ** power), top + PANEL_HEIGHT - 36, "1e%d" % power, 'text-anchor="middle"'))
    for what, (_, color) in SERIES.items():
        path = " ".join("%.1f,%.1f" % (at_x(r["x"]), at_y(r[what] / r["bytes"])) for r in rows)
        out.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>' % (path, color))
    return out


def curves(caption, of):
    """Draw all panels. of: {title: (meaning of x, rows)}."""
    out = [text(8, 20, "Cost of a header byte. " + caption)]
    for number, (name, color) in enumerate(SERIES.values()):
        out.append(text(8 + 150 * number, 40, name + " a byte", 'fill="%s" font-weight="bold"' % color))
    for number, (title, (axis, rows)) in enumerate(of.items()):
        out += panel(MARGIN + number % 2 * PANEL_WIDTH, 80 + number // 2 * (PANEL_HEIGHT + 20), title, axis, rows)
    return ('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="11">\n'
            '<rect width="100%%" height="100%%" fill="white"/>\n%s\n</svg>\n' % (
                2 * PANEL_WIDTH + MARGIN, 80 + (len(of) + 1) // 2 * (PANEL_HEIGHT + 20), "\n".join(out)))
