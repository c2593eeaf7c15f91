"""The path-matching paper's Fig. 14: the times of all schemes as bars on a logarithmic scale, a panel for each type."""

import html
import math

BARS = (("1", "scheme 1", "#1f4e79"), ("2", "scheme 2", "#c55a11"), ("3", "scheme 3", "#6fa8dc"),
        ("4", "scheme 4", "#f4b183"), ("rival", "zstd -dc | scanner", "#7f7f7f"))
PANELS = ((1, "Type 1: the function is in one chunk"), (2, "Type 2: in about half of the chunks"),
          (3, "Type 3: in nearly all chunks"))
BAR, GAP, LEFT, RIGHT, PANEL, TITLE, BELOW, TOP = 13, 22, 70, 20, 200, 30, 34, 62


def svg(rows):
    """`rows` are matching_report.TypeRow."""
    programs = list(dict.fromkeys(row.program for row in rows))
    found = {(row.program, row.number): row for row in rows}
    group = len(BARS) * BAR + GAP
    width = LEFT + max(len(programs), 7) * group + RIGHT
    height = TOP + len(PANELS) * (TITLE + PANEL + BELOW) + 16
    times = [time for row in rows for time in values(row).values()] or [1e6]
    low, high = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))
    high = max(high, low + 1)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
             'font-family="sans-serif" font-size="12" fill="#222">',
             f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
             f'<text x="{LEFT}" y="22" font-size="15" font-weight="bold">CPU time of one query on a file just opened '
             '(log scale)</text>', legend()]
    for number, (kind, title) in enumerate(PANELS):
        top = TOP + number * (TITLE + PANEL + BELOW)
        parts.append(panel(kind, title, top + TITLE, width, programs, found, group, low, high))
    return "\n".join([*parts, "</svg>"]) + "\n"


def values(row):
    return {name: row.rival if name == "rival" else row.cold[name] for name, _, _ in BARS}


def legend():
    parts, x = [], LEFT
    for _, label, colour in BARS:
        parts.append(f'<rect x="{x}" y="36" width="12" height="12" fill="{colour}"/>'
                     f'<text x="{x + 17}" y="46">{html.escape(label)}</text>')
        x += 38 + 7 * len(label)
    return "".join(parts)


def tick(power):
    """A power of ten nanoseconds for people."""
    for least, unit in ((9, "s"), (6, "ms"), (3, "µs"), (0, "ns")):
        if power >= least:
            return f"{10 ** (power - least)} {unit}"
    return f"1e{power} ns"


def panel(kind, title, top, width, programs, found, group, low, high):
    def y_of(time):
        share = (math.log10(max(time, 10 ** low)) - low) / (high - low)
        return top + PANEL * (1 - share)

    parts = [f'<text x="{LEFT}" y="{top - 10}" font-weight="bold">{title}</text>']
    for power in range(low, high + 1):
        y = y_of(10 ** power)
        parts.append(f'<line x1="{LEFT}" x2="{width - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#dddddd"/>'
                     f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{tick(power)}</text>')
    for number, program in enumerate(programs):
        left = LEFT + GAP / 2 + number * group
        middle = left + len(BARS) * BAR / 2
        row = found.get((program, kind))
        if row is None:
            parts.append(f'<text x="{middle:.1f}" y="{top + PANEL - 6}" text-anchor="middle" fill="#888">none</text>')
        else:
            parts += bars(row, left, y_of, top + PANEL)
        label = html.escape(program) + ("" if row is None or row.is_of_it else "†")
        parts.append(f'<text x="{middle:.1f}" y="{top + PANEL + 16}" text-anchor="middle">{label}</text>')
    parts.append(f'<line x1="{LEFT}" x2="{width - RIGHT}" y1="{top + PANEL}" y2="{top + PANEL}" stroke="#444"/>')
    if kind == PANELS[-1][0]:
        parts.append(f'<text x="{LEFT}" y="{top + PANEL + 38}" fill="#555">† the program has no function of this type: '
                     'the one whose coverage is nearest</text>')
    return "\n".join(parts)


def bars(row, left, y_of, bottom):
    for number, (name, label, colour) in enumerate(BARS):
        time = values(row)[name]
        y = y_of(time)
        yield (f'<rect x="{left + number * BAR:.1f}" y="{y:.1f}" width="{BAR - 2}" height="{max(bottom - y, 1):.1f}" '
               f'fill="{colour}"><title>{html.escape(row.program)}, type {row.number}, {html.escape(label)}: '
               f'{time / 1e6:.3f} ms</title></rect>')
