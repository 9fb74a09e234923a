#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts, for each component type, the source files that name it: the op's class
or name, Kaldi's name, or the runtime's class. Fails if there are more than the
limit of the type. Tests, documents and generated files do not count."""

import pathlib
import re
import sys

# With generated code for the forward and backward pass, statistics, and a layer
# of xconfigs.
LIMIT = 7
# Types with parts or with several kernels, and one that optimisations look for.
# These limits may only fall.
LIMITS = {
    "BatchNorm": 8,
    "Composite": 9,
    "GeneralDropout": 8,
    "RectifiedLinear": 9,
    "RestrictedAttention": 9,
    "SumBlock": 4,
}
FOLDERS = ["include", "lib", "runtime", "tools", "cmake"]
SUFFIXES = {".c", ".cpp", ".fbs", ".h", ".in", ".td", ".txt"}


def read_sources(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root)
            if path.suffix in SUFFIXES and "test" not in name.parts:
                yield name, path.read_text()


def read_types(sources):
    """Pairs of a name, SumBlock, and an op's name, sum_block."""
    record = r'^def Nnet3_\w+Op\b[^"]*"(\w+)",\s*"(\w+)"'
    for name, text in sources.items():
        if name.match("Dialect/Nnet3/IR/Components/*ComponentOps.td"):
            for op, kaldi in re.findall(record, text, re.M):
                yield kaldi, op


def main():
    sources = dict(read_sources(pathlib.Path(sys.argv[1])))
    types = sorted(read_types(sources))
    if "--list" in sys.argv:
        print(f"{len(sources)} files")
    failed = False
    for kaldi, op in types:
        # Other dialects have ops of the same names, and nodes of layers of xconfigs
        # are called "affine" and "dropout".
        pattern = rf"(?<!::)\b{kaldi}(Op|Component|Attributes)\b|\bnnet3\.{op}\b"
        files = [str(name) for name, text in sources.items() if re.search(pattern, text)]
        limit = LIMITS.get(kaldi, LIMIT)
        if "--list" in sys.argv:
            print(kaldi, len(files), *files, sep="\n  ")
        if len(files) > limit:
            print(f"{len(files)} files name {kaldi}, at most {limit} may: {' '.join(files)}")
            failed = True
    print(f"{len(types)} types")
    sys.exit(failed)


main()
