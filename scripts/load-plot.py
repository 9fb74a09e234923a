#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plots how many live streams a core serves, from the JSON of Google Benchmark.

    build/bin/nnet3-benchmark --benchmark_filter=load \\
        --benchmark_format=json | scripts/load-plot.py load.svg

A bar is the number of streams that one worker serves in time, by the frames of a
chunk; the line above it is the number whose operations the core can execute. A
table on standard output has the same, in Markdown.
"""

import json
import sys

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 90, 280, 60, 30, 50  # of a bar; of the plot


COUNTERS = ["streams", "limit", "of_limit", "batch", "busy", "p50_ms", "p99_ms"]


def fail(message):
    sys.exit(f"load-plot: {message}")


def check(entry):
    """Exits if a benchmark failed or lacks a counter of load/."""
    name = entry["name"]
    if entry.get("error_occurred"):
        fail(f"{name} failed: {entry.get('error_message')}")
    for counter in COUNTERS:
        if not isinstance(entry.get(counter), (int, float)):
            fail(f"{name} has no number '{counter}'")
    if entry["limit"] <= 0:
        fail(f"expects a positive 'limit' of {name}, but got {entry['limit']}")


def read(stream):
    """(chunk, its counters), in the order of the run."""
    try:
        entries = json.load(stream)["benchmarks"]
        named = [(entry["name"].split("/"), entry) for entry in entries]
    except (AttributeError, KeyError, TypeError, ValueError):
        fail("the input is not the JSON of Google Benchmark")
    for parts, entry in named:
        if parts[0] == "load" and len(parts) > 2:
            check(entry)
            yield f"{parts[1]}, {parts[2].removeprefix('t:')}", entry


def table(entries):
    print("| network, chunk | streams | of the limit | streams a step | busy "
          "| delay, p50, ms | p99, ms |")
    print("|---|---|---|---|---|---|---|")
    for name, entry in entries:
        print(f"| {name} | {entry['streams']:.0f} | {entry['of_limit']:.2f} "
              f"| {entry['batch']:.1f} | {entry['busy']:.2f} "
              f"| {entry['p50_ms']:.0f} | {entry['p99_ms']:.0f} |")


def plot(entries):
    most = max(entry["limit"] for _, entry in entries)

    def height(streams):
        return TOP + (1 - streams / most) * HEIGHT

    def text(x, y, content):
        return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle">{content}</text>'

    svg = [text(LEFT / 2, TOP, "streams")]
    for number, (name, entry) in enumerate(entries):
        x, y = LEFT + number * WIDTH, height(entry["streams"])
        svg.append(f'<rect x="{x + 10}" y="{y:.1f}" width="{WIDTH - 20}" '
                   f'height="{TOP + HEIGHT - y:.1f}" fill="#1f77b4"/>')
        svg.append(text(x + WIDTH / 2, y - 4, f"{entry['streams']:.0f}"))
        svg.append(f'<path d="M{x} {height(entry["limit"]):.1f}h{WIDTH}" '
                   'stroke="#d62728" stroke-width="2"/>')
        for line, part in enumerate(name.split(", ")):
            svg.append(text(x + WIDTH / 2, TOP + HEIGHT + 18 + 16 * line, part))
    size = (f'width="{LEFT + len(entries) * WIDTH + 20}" '
            f'height="{TOP + HEIGHT + BOTTOM}"')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family='
            '"sans-serif" font-size="12">\n<rect width="100%" height="100%" '
            'fill="#fff"/>\n' + "\n".join(svg) + "\n</svg>\n")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    entries = list(read(sys.stdin))
    if not entries:
        fail("the input has no benchmark whose name begins with load/")
    try:
        with open(sys.argv[1], "w", encoding="utf-8") as file:
            file.write(plot(entries))
    except OSError as error:
        fail(f"cannot write {sys.argv[1]}: {error.strerror}")
    table(entries)


main()
