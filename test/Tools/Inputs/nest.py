#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints MLIR that is nested deeply.

    nest.py regions|lists|types|signs|sums|quotients|aliases|fewaliases|requests|fine
"""

import sys

COUNT = 100000
ALLOWED = 256
OPERATORS = 4096


def nest(opening, closing, count, inner=""):
    return opening * count + inner + closing * count


def get_aliases(count):
    """Each alias is a list with the one before it."""
    lines = ["#a0 = [1]"]
    lines += [f"#a{i} = [#a{i - 1}]" for i in range(1, count)]
    return "\n".join(lines) + f"\nmodule attributes {{test.list = #a{count - 1}}} {{}}"


def get_expression(term):
    """A sum or the like, without brackets."""
    return (
        "module attributes {test.map = affine_map<(d0)[s0] -> (\nd0"
        + term * COUNT
        + ")>} {}"
    )


def get_fine():
    """As deep as is allowed, with brackets that do not count."""
    lists = nest("[", "]", ALLOWED - 1)
    brackets = "[<({" * COUNT
    comparisons = "d0 - 1 >= 0, d0 - 9 <= 0, " * ALLOWED + "d0 == 0"
    return "\n".join(
        [
            "// " + brackets,
            f'module attributes {{test.string = "{brackets}\\"",',
            f"  test.list = {lists},",
            f"  test.set = affine_set<(d0) : ({comparisons})>,",
            f"  test.sum = affine_map<(d0) -> (d0{' + d0 mod 7' * (OPERATORS // 2)})>}} {{",
            "}",
        ]
    )


TEXTS = {
    "regions": nest("module {\n", "}\n", COUNT),
    "lists": "// Lists.\nx = " + nest("[", "]", COUNT),
    "types": "// Types.\n" + nest("tuple<", ">", COUNT, "i32"),
    "aliases": get_aliases(60000),
    "fewaliases": get_aliases(100),
    "signs": "// Signs.\naffine_map<(d0) -> (" + "-" * COUNT + "d0)>",
    "sums": get_expression(" + d0"),
    "quotients": get_expression("\nfloordiv s0 ceildiv s0 mod s0"),
    "requests": "nnet3.request " + nest("{", "}", COUNT),
    "fine": get_fine(),
}
print(TEXTS[sys.argv[1]])
