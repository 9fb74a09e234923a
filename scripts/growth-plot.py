#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plots how compile time grows, from the JSON of Google Benchmark.

    build/bin/nnet3-benchmark --benchmark_filter=growth \\
        --benchmark_format=json | scripts/growth-plot.py growth.svg

The plot has the processor time to compile and optimise one sequence against
the number of frames, and against that of commands, on logarithmic scales. A
table on standard output has the slopes: 1 is proportional growth. It also has
the time for many sequences over that for one.
"""

import json
import math
import sys
from collections import defaultdict

COLORS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b")
WIDTH, HEIGHT = 430, 340  # of a panel
LEFT, RIGHT, TOP, BOTTOM = 60, 130, 30, 45


def read(stream):
    """network -> list of its entries, in the order of the run."""
    networks = defaultdict(list)
    for entry in json.load(stream)["benchmarks"]:
        family, name = entry["name"].split("/")[:2]
        if family == "growth" and not entry.get("error_occurred"):
            networks[name].append(entry)
    return networks


def points(entries, key):
    """(key, ms) of the entries with one sequence, each key once. Computations
    that come from no request have no frames."""
    return sorted({entry[key]: entry["cpu_time"] for entry in entries
                   if entry["sequences"] == 1 and key in entry}.items())


def slopes(line):
    """Slope of the straight line through all points in logarithmic scales, and
    the steepest one between neighbours; None if there are no two."""
    if len(line) < 2:
        return None
    logs = [(math.log(x), math.log(y)) for x, y in line]
    mean_x = sum(x for x, _ in logs) / len(logs)
    mean_y = sum(y for _, y in logs) / len(logs)
    fit = (sum((x - mean_x) * (y - mean_y) for x, y in logs) /
           sum((x - mean_x)**2 for x, _ in logs))
    steepest = max((b[1] - a[1]) / (b[0] - a[0]) for a, b in zip(logs, logs[1:]))
    return fit, steepest


def decades(values):
    """The powers of ten around positive values, as exponents."""
    low = math.floor(math.log10(min(values)))
    return low, max(math.ceil(math.log10(max(values))), low + 1)


def panel(offset, title, lines):
    """One plot; `lines` is a list of (label, color, points)."""
    xs = decades([x for _, _, line in lines for x, _ in line])
    ys = decades([y for _, _, line in lines for _, y in line])

    def place(x, y):
        return (offset + LEFT + (math.log10(x) - xs[0]) / (xs[1] - xs[0]) * WIDTH,
                TOP + (ys[1] - math.log10(y)) / (ys[1] - ys[0]) * HEIGHT)

    def text(x, y, content, anchor="middle", color="#000"):
        return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" '
                f'fill="{color}">{content}</text>')

    svg = []
    for e in range(xs[0], xs[1] + 1):
        x, bottom = place(10**e, 10**ys[0])
        svg.append(f'<path d="M{x:.1f} {bottom:.1f}V{TOP}" stroke="#ddd"/>')
        svg.append(text(x, bottom + 16, f"{10**e:g}"))
    for e in range(ys[0], ys[1] + 1):
        left, y = place(10**xs[0], 10**e)
        svg.append(f'<path d="M{left:.1f} {y:.1f}h{WIDTH}" stroke="#ddd"/>')
        svg.append(text(left - 6, y + 4, f"{10**e:g}", "end"))
    svg.append(text(offset + LEFT + WIDTH / 2, TOP + HEIGHT + 36, title))
    svg.append(text(offset + LEFT, TOP - 10, "ms"))
    last = []  # where labels are
    for label, color, line in lines:
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in
                        (place(*point) for point in line))
        svg.append(f'<polyline points="{path}" fill="none" stroke="{color}" '
                   'stroke-width="2"/>')
        x, y = place(*line[-1])
        while any(abs(x - a) < 120 and abs(y - b) < 14 for a, b in last):
            y += 2
        last.append((x, y))
        svg.append(text(x + 6, y + 4, label, "start", color))
    return "\n".join(svg)


def plot(networks):
    svg = []
    step = LEFT + WIDTH + RIGHT
    for number, key in enumerate(("frames", "commands")):
        lines = []
        for color, (name, entries) in zip(COLORS * 9, networks.items()):
            line = points(entries, key)
            slope = slopes(line)
            if slope:
                lines.append((f"{name}: {slope[0]:.2f}", color, line))
        if lines:
            svg.append(panel(number * step, key, lines))
    size = f'width="{2 * step}" height="{TOP + HEIGHT + BOTTOM}"'
    return (f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family='
            '"sans-serif" font-size="12">\n<rect width="100%" height="100%" '
            'fill="#fff"/>\n' + "\n".join(svg) + "\n</svg>\n")


def table(networks):
    print(f"{'network':10} {'ms':>8}  {'slope in frames':>17}  "
          f"{'slope in commands':>17}  sequences")
    for name, entries in networks.items():
        first = entries[0]
        row = f"{name:10} {first['cpu_time']:8.3f}"
        for key in ("frames", "commands"):
            slope = slopes(points(entries, key))
            row += "  " + (f"{slope[0]:.2f}, up to {slope[1]:.2f}"
                           if slope else "-").rjust(17)
        many = [f"{entry['sequences']:.0f}: x"
                f"{entry['cpu_time'] / first['cpu_time']:.2f}"
                for entry in entries
                if entry["sequences"] != 1]
        print((row + "  " + ", ".join(many)).rstrip())


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    networks = read(sys.stdin)
    if not networks:
        sys.exit("growth-plot: the input has no benchmark whose name begins "
                 "with growth/")
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(plot(networks))
    table(networks)


if __name__ == "__main__":
    main()
