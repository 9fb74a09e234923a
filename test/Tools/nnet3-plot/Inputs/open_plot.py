#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Opens a page of nnet3-plot in headless Chromium, and prints how many lines and
dots each chart has.

    open_plot.py PAGE
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Inputs"))
from open_page import get_page


def main():
    text = get_page(pathlib.Path(sys.argv[1]))
    print("title:", re.search(r'<h1 id="title">(.*?)</h1>', text)[1])
    print("summary:", re.search(r'id="summary">(.*?)</span>', text)[1])
    print("images:", text.count("<img"))
    for section in text.split("<section")[1:]:
        name = re.search("<h2>(.*?)</h2>", section)[1]
        lines = sum(len(d) > 20 for d in re.findall(r'<path d="([^"]*)"', section))
        print(f"{name}: {lines} lines, {section.count('<circle')} dots")


main()
