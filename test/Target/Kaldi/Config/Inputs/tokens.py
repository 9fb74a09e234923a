# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints each component of a text model on a line: its type and tokens, with
`...` for values that are not whole numbers alone, which are random."""

import re
import sys


def shorten(match):
    words = match.group(0).strip("[] \n").split()
    whole = all(re.fullmatch(r"-?[0-9,-]+", word) for word in words)
    return "[ " + " ".join(words) + " ]" if whole else "..."


text = re.sub(r"\[[^]]*\]", shorten, sys.stdin.read())
for component in re.findall(
        r"<ComponentName> \S+ <(.*?)> *\n?(?=<ComponentName>|</Nnet3>)",
        text, re.S):
    tokens = " ".join(component.split())
    print(re.sub(r"^(\w+)Component> (.*) </\1Component$", r"\1: \2", tokens))
