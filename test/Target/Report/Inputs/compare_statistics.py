#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the sizes in a report page with those in pass statistics.

    compare_statistics.py PAGE STATISTICS
"""

import json
import pathlib
import re
import sys


def read_statistics(text):
    """For each computation, the commands before and behind the optimisations, and
    what these save of matrices, bytes at the peak and bytes."""
    result = {}
    for name, lines in re.findall(r"passes over @(\S+),.*\n((?: .*\n)*)", text):
        rows = [
            [int(n) for n in match]
            for match in re.findall(
                r"^  nnet3-(?!compile )\S+ +(\d+) -> +(\d+)"
                r" +-?\d+ +(-?\d+) +(-?\d+) +(-?\d+)",
                lines,
                re.M,
            )
        ]
        saved = [sum(row[i] for row in rows) for i in (2, 3, 4)]
        result[name] = [rows[0][0], rows[-1][1], *saved]
    return result


def read_page(page):
    data = re.search(r'<script id="data"[^>]*>(.*?)</script>', page, re.S)[1]
    result = {}
    for computation in json.loads(data)["computations"]:
        before, after = (computation[side]["size"] for side in ("before", "after"))
        result[computation["name"]] = [
            before["commands"],
            after["commands"],
            *(before[key] - after[key] for key in ("matrices", "peak", "bytes")),
        ]
    return result


page, statistics = (pathlib.Path(path).read_text() for path in sys.argv[1:3])
shown, printed = read_page(page), read_statistics(statistics)
assert shown and shown == printed, (shown, printed)
