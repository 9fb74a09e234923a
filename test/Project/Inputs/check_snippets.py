#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the code blocks of a document are in the files that they are
quoted from: a line with nothing but a path in backquotes and a colon, then the
block."""

import pathlib
import re
import sys


def main():
    root = pathlib.Path(sys.argv[1])
    text = (root / sys.argv[2]).read_text()
    pattern = r"^`([\w/.-]+)`:\n\n```\w+\n(.*?)^```$"
    snippets = re.findall(pattern, text, re.M | re.S)
    missing = [p for p, code in snippets if code not in (root / p).read_text()]
    for path in missing:
        print(f"{sys.argv[2]} quotes what is not in {path}")
    print(f"{len(snippets)} snippets")
    sys.exit(bool(missing))


main()
