#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that libraries give the same bits on machines with other vectors.

    scalable_bits.py --bin=build/bin --library=OPTIONS... --runner=COMMAND...
        NETWORK

Compiles NETWORK, a config or a model, with each OPTIONS of nnet3-compile. Each
COMMAND is nnet3-rt-run on some machine: it runs all of these libraries on
random features. Prints how many outputs there are; exit status 1 if one of them
differs from the first one.
"""
import argparse
import os
import shlex
import subprocess
import sys
import tempfile

import numpy

FRAMES = 70


def execute(command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{shlex.join(command)}: {result.stdout}{result.stderr}")
    return result.stdout


def compile_library(options, arguments, prefix):
    execute(
        [os.path.join(options.bin, "nnet3-compile"), f"--chunk={FRAMES}"]
        + shlex.split(arguments)
        + ["-o", prefix, options.network]
    )
    folder, name = os.path.split(prefix)
    return os.path.join(folder, f"lib{name}.so")


def write_features(path, shape):
    numbers = numpy.random.default_rng(0).normal(size=shape)
    with open(path, "w") as file:
        rows = "\n".join(" ".join(f"{x:.6g}" for x in row) for row in numbers)
        file.write(f" [\n{rows} ]\n")


def get_shape(text):
    """Of the input that `nnet3-rt-run --list` prints: "input NAME: R x C"."""
    for line in text.split("\n"):
        if line.startswith("input "):
            rows, columns = line.split(": ")[1].split(" x ")
            return int(rows), int(columns)
    sys.exit("no input")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", required=True)
    parser.add_argument("--library", action="append", required=True)
    parser.add_argument("--runner", action="append", required=True)
    parser.add_argument("network")
    options = parser.parse_args()
    outputs = {}
    with tempfile.TemporaryDirectory() as scratch:
        features = os.path.join(scratch, "features")
        output = os.path.join(scratch, "output")
        for number, arguments in enumerate(options.library):
            library = compile_library(
                options, arguments, os.path.join(scratch, f"net{number}")
            )
            for runner in map(shlex.split, options.runner):
                if not outputs:
                    shape = get_shape(execute(runner + ["--list", library]))
                    write_features(features, shape)
                execute(
                    runner
                    + [f"--input=input={features}", f"--output=output={output}"]
                    + [library]
                )
                with open(output, "rb") as file:
                    outputs[arguments, shlex.join(runner)] = file.read()
    first = next(iter(outputs.values()))
    differing = [name for name, data in outputs.items() if data != first]
    for arguments, runner in differing:
        print(f"{arguments}: other bits with {runner}")
    print(f"{len(outputs)} outputs, {len(differing)} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
