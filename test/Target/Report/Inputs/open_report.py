#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Opens a report page in headless Chromium, and prints what is drawn there.

    open_report.py PAGE
"""

import pathlib
import re
import subprocess
import sys
import tempfile
from html.parser import HTMLParser


class Elements(HTMLParser):
    """Name, attributes and ancestors' ids of each element."""

    VOID = {"meta", "input"}

    def __init__(self):
        super().__init__()
        self.path = []
        self.found = []

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.found.append((tag, attributes, [i for _, i in self.path if i]))
        if tag not in self.VOID:
            self.path.append((tag, attributes.get("id")))

    def handle_endtag(self, tag):
        while self.path and self.path.pop()[0] != tag:
            pass


def get_page(page):
    """The page as it is when its script has run."""
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", f"--user-data-dir={folder}",
             "--window-size=1400,1000", "--virtual-time-budget=5000",
             "--dump-dom", page.resolve().as_uri()],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            timeout=120, check=True,
        ).stdout


def get_areas(elements, name):
    """Position and size of each rectangle of the drawing with this class."""
    return [
        [float(attributes[key]) for key in ("x", "y", "width", "height")]
        for tag, attributes, ids in elements
        if tag == "rect" and "drawing" in ids
        and name in attributes.get("class", "").split()
    ]


def check_apart(bars):
    """No two of these rectangles overlap: matrices in a memory, labels."""
    for i, (x, y, width, height) in enumerate(bars):
        for x2, y2, width2, height2 in bars[:i]:
            across = min(x + width, x2 + width2) - max(x, x2)
            down = min(y + height, y2 + height2) - max(y, y2)
            assert across < 1e-6 or down < 1e-6, (i, bars)


def main():
    parser = Elements()
    page = get_page(pathlib.Path(sys.argv[1]))
    parser.feed(page)
    elements = parser.found

    def count(inside, name):
        return sum(
            inside in ids and name in attributes.get("class", "").split()
            for _, attributes, ids in elements
        )

    print("ready:", elements[0][1].get("data-ready"))
    print("images:", sum(tag == "img" for tag, _, _ in elements))
    print("boxes:", count("drawing", "box"))
    print("arrows:", count("drawing", "arrow"), "recurrent:",
          sum(attributes.get("class") == "arrow recurrent"
              for _, attributes, _ in elements))
    labels = get_areas(elements, "label")
    check_apart(labels)
    for label in labels:
        for box in get_areas(elements, "box"):
            check_apart([label, box])
    print("labels:", len(labels))
    print("origin:", re.search(r'id="origin">([^<]*)<', page)[1])
    print("tiles:", count("overview", "tile"))
    for side in ("before", "after"):
        curve = next(
            attributes["d"] for _, attributes, ids in elements
            if f"memory-{side}" in ids and attributes.get("class") == "live"
        )
        heights = {float(y) for y in re.findall(r"V([\d.]+)", curve)}
        bars = [
            attributes for _, attributes, ids in elements
            if f"memory-{side}" in ids
            and "matrix" in attributes.get("class", "").split()
        ]
        assert all(float(bar["width"]) > 0 and float(bar["height"]) > 0
                   and "NaN" not in bar["x"] + bar["y"] for bar in bars)
        check_apart([[float(bar[name]) for name in ("x", "y", "width", "height")]
                    for bar in bars])
        print(f"{side}: {count(f'commands-{side}', 'row')} rows,",
              f"{len(bars)} bars, {curve.count('H')} steps,",
              f"{len(heights)} heights")


main()
