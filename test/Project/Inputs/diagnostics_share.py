#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that at least 30% of the lit tests in a folder test diagnostics."""

import pathlib
import re
import sys


def main():
    tests = []
    for suffix in (".mlir", ".test", ".config", ".txt"):
        for path in pathlib.Path(sys.argv[1]).rglob("*" + suffix):
            text = path.read_text(errors="replace")
            if "Inputs" not in path.parts and "RUN:" in text:
                tests.append(text)
    pattern = r"RUN:.*(-verify-diagnostics|\bnot )"
    share = sum(bool(re.search(pattern, text)) for text in tests) / len(tests)
    print(f"{share:.0%} of {len(tests)} tests test diagnostics")
    sys.exit(share < 0.3)


main()
