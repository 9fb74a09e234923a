#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs each pass of nnet3-opt on what other passes are tested with.

    run_passes.py --nnet3-opt=PROGRAM [--pairs=N] [--seed=N] DIRECTORY

Draws N pairs of a pass and an .mlir file in DIRECTORY, or takes all of them if N
is 0. The program must succeed, or print an error and exit with 1. Prints 'N
passed, M failed'; exit status 1 if any failed.
"""
import argparse
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
from functools import partial

from commands import run_cases
from compare import Failed

# Larger files take long, and have no other operations.
MOST_BYTES = 150_000


def find_passes(program):
    listed = subprocess.run([program, "--help"], capture_output=True, text=True, check=True)
    return re.findall(r"^      --((?:nnet3|kernel|convert-(?:nnet3|kernel))[a-z0-9-]*)\b",
                      listed.stdout, re.MULTILINE)


def check(options, directory, name, path):
    try:
        done = subprocess.run(
            [options.nnet3_opt, "--split-input-file", f"--{name}", path, "-o", os.devnull],
            cwd=directory, capture_output=True, text=True, errors="replace", timeout=60)
    except subprocess.TimeoutExpired as error:
        raise Failed("takes over a minute") from error
    if done.returncode not in (0, 1):
        raise Failed(f"exit status {done.returncode}: {done.stderr[:500]}")
    if done.returncode == 1 and "error:" not in done.stderr:
        raise Failed(f"no error: {done.stderr[:500]}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nnet3-opt", type=os.path.abspath, required=True)
    parser.add_argument("--pairs", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("directory", type=pathlib.Path)
    options = parser.parse_args()
    files = sorted(path.absolute() for path in options.directory.rglob("*.mlir")
                   if "Inputs" not in path.parts and path.stat().st_size <= MOST_BYTES)
    names = find_passes(options.nnet3_opt)
    pairs = [(f"--{name} {path}", name, path) for path in files for name in names]
    if options.pairs:
        pairs = random.Random(options.seed).sample(pairs, options.pairs)
    with tempfile.TemporaryDirectory() as directory:
        return run_cases(partial(check, options, directory), pairs, options.jobs)


if __name__ == "__main__":
    sys.exit(main())
