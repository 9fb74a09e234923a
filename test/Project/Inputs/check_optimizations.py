#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the examples of docs/internals/Optimization.md: in each section named
after a pass the first block of MLIR, run through that pass, is the second one. Prints what
--nnet3-pass-statistics says of that. The passes that nnet3-opt has, but the
page does not show, are named."""

import pathlib
import re
import subprocess
import sys


def print_computation(opt, network, body, passes):
    """The commands of a computation as nnet3-opt prints them, and the line of
    the statistics."""
    text = f"{network}\nnnet3.computation @c for @net {{\n{body}\n}}\n"
    pipeline = f"builtin.module(nnet3.computation({passes}))"
    result = subprocess.run(
        [opt, "-", "--nnet3-pass-statistics"]
        + ([f"--pass-pipeline={pipeline}"] if passes else []),
        input=text,
        capture_output=True,
        text=True,
    )
    if result.returncode != 0:
        return result.stderr, ""
    name = passes.partition("{")[0]
    line = re.search(rf"^ *{name} +(.*)$", result.stderr, re.M) if name else None
    return (
        result.stdout[result.stdout.index("nnet3.computation") :],
        " ".join(line[1].split()) if line else "no statistics",
    )


def main():
    opt, root = sys.argv[1], pathlib.Path(sys.argv[2])
    page = (root / "docs/internals/Optimization.md").read_text()
    intro, *sections = re.split(r"^## ", page, flags=re.M)
    blocks = lambda text: re.findall(r"```mlir\n(.*?)```", text, re.S)
    (network,) = blocks(intro)
    shown = []
    for section in sections:
        name, options = re.match(r"`([\w-]+)(\{.*?\})?`", section).groups("")
        shown.append(name)
        before, after = blocks(section)
        actual, statistics = print_computation(
            opt, network, before, name + options
        )
        expected, _ = print_computation(opt, network, after, "")
        right = "right" if actual == expected else "WRONG"
        print(f"{name}: {right}, {statistics}")
        if actual != expected:
            print(f"got\n{actual}\nexpected\n{expected}")
    passes = (root / "include/nnet3/Optimize/Passes.td").read_text()
    for name in re.findall(r'Nnet3_ComputationPass<"(nnet3-[\w-]+)"', passes):
        if name not in shown and not name.startswith("nnet3-check"):
            print(f"{name}: WRONG, it is not on the page")


main()
