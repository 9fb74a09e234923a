#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares optimised computations with the reference's.

    optimization-quality.py [--bin=build/bin] DIRECTORY

For each case.json below DIRECTORY that has a request, compiles and optimises it
and prints the number of commands and the peak of matrix bytes, ours and the
reference's. Counted are all commands but views and store_stats, which is part of
its propagate for the reference; alloc_matrix_zeroed counts as two, because the
reference allocates, then sets. A compressed matrix counts with the bytes of its
compressed copy. Exit status 1 if one of ours is larger; cases
with component types that are not there yet are left out.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

PIPELINE = "builtin.module(nnet3-compile,nnet3-optimize)"
ELIDE = [
    "--mlir-elide-elementsattrs-if-larger=1",
    "--mlir-elide-resource-strings-if-larger=4",
]
COMMAND = re.compile(r"^\s*(?:%\S+ = )?nnet3\.(\w+)(.*)$", re.M)
BEGIN = {"alloc_matrix_zeroed", "alloc_matrix_undefined", "accept_input"}
NOT_COUNTED = {"computation", "sub_matrix", "store_stats"}
COMPRESSED = re.compile(r"compressed<(\d+)x(\d+)x[su]i(\d+)>")


def measure(text):
    """Commands and peak bytes of a printed computation."""
    commands = size = peak = 0
    for name, rest in COMMAND.findall(text):
        if name in NOT_COUNTED:
            continue
        commands += 2 if name == "alloc_matrix_zeroed" else 1
        if name in BEGIN or name == "dealloc_matrix":
            rows, cols = re.findall(r"memref<(\d+)x(\d+)xf32>", rest)[-1]
            size += int(rows) * int(cols) * (4 if name in BEGIN else -4)
        elif name in ("compress_matrix", "decompress_matrix"):
            rows, cols, bits = map(int, COMPRESSED.search(rest).groups())
            saved = rows * cols * (4 - bits // 8)
            size += saved if name == "decompress_matrix" else -saved
        peak = max(peak, size)
    return commands, peak


def compile_case(bin_dir, path, case):
    """The optimised computation; None if a component is not known."""
    translate = subprocess.run(
        [
            bin_dir / "nnet3-translate",
            "--raw-to-mlir",
            "--emit-bytecode",
            f"--request={path.parent / case['request']}",
            path.parent / case["model"],
        ],
        capture_output=True,
    )
    if translate.returncode != 0:
        return None
    result = subprocess.run(
        [bin_dir / "nnet3-opt", f"--pass-pipeline={PIPELINE}", *ELIDE, "-"],
        input=translate.stdout,
        capture_output=True,
        check=True,
    )
    text = result.stdout.decode()
    return text[text.index("nnet3.computation") :]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, default="build/bin")
    parser.add_argument("directory", type=pathlib.Path)
    arguments = parser.parse_args()
    worse = 0
    print(f"{'case':44} {'commands':>8} {'ref.':>8} {'bytes':>10} {'ref.':>10}")
    for path in sorted(arguments.directory.rglob("case.json")):
        case = json.loads(path.read_text())
        if "optimized" not in case.get("counts", {}) or "request" not in case:
            continue
        text = compile_case(arguments.bin, path, case)
        if text is None:
            continue
        ours = measure(text)
        expected = case["counts"]["optimized"]
        theirs = (expected["commands"], expected["peak_matrix_bytes"])
        is_worse = ours[0] > theirs[0] or ours[1] > theirs[1]
        worse += is_worse
        name = str(path.parent.relative_to(arguments.directory))
        print(
            f"{name:44} {ours[0]:8} {theirs[0]:8} {ours[1]:10} {theirs[1]:10}"
            + (" worse" if is_worse else "")
        )
    print(f"{worse} worse")
    sys.exit(worse > 0)


main()
