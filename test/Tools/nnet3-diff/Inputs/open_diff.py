#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Opens a page of nnet3-diff in headless Chromium, and prints how much its
sections have.

    open_diff.py PAGE
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Inputs"))
from open_page import get_page


def main():
    text = get_page(pathlib.Path(sys.argv[1]))
    print("title:", re.search(r'<h1 id="title">(.*?)</h1>', text)[1])
    for section in text.split("<section")[1:]:
        name = re.search("<h2>(.*?)</h2>", section)[1]
        lines = len(re.findall(r'class="(?:before|after)"', section))
        rows = section.count("<tr")
        print(f"{name}: {rows} rows" if "<table" in section else f"{name}: {lines} lines")
    cells = re.findall("<td[^>]*>(.*?)</td>", section)
    print("sorted:", *cells[:2])


main()
