#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes what compare.py needs on a machine with a GPU.

    benchmarks/gpu/prepare.py [--bin=build/bin] [--target=cuda] FOLDER

For tdnnf and lstmp: the model, and a library for chunks of 150 frames with an
output for every third, its weights in a file beside it. With --target=cpu
compare.py checks its numbers on a machine without a GPU. With --small the
parameters of matrices have 8 bits, so that the files can be compressed.
"""
import argparse
import os
import random
import struct
import sys
import tempfile

import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import models


def round_matrices(path):
    """Cuts the parameters in all matrices of a raw model to 8 bits."""
    with open(path, "rb") as file:
        model = bytearray(file.read())
    end = 0
    while (found := model.find(b"FM \x04", end)) >= 0:
        rows, four, cols = struct.unpack_from("<ibi", model, found + 4)
        end = found + 13 + 4 * rows * cols
        if four != 4 or end > len(model):
            sys.exit(f"{path}: no matrix at byte {found}")
        words = numpy.frombuffer(model, "<u4", rows * cols, found + 13)
        words &= 0xFFFF0000
    with open(path, "wb") as file:
        file.write(model)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", default="build/bin")
    parser.add_argument("--target", default="cuda")
    parser.add_argument("--sequences", default="1,64,512")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("folder")
    options = parser.parse_args()
    random.seed(1)
    os.makedirs(options.folder, exist_ok=True)
    for name, extra in models.EXTRA_LEFT.items():
        model = f"{options.folder}/{name}.raw"
        with tempfile.TemporaryDirectory() as scratch:
            run = f"{options.bin}/nnet3-run"
            models.write_model(run, scratch, name, model)
        if options.small:
            round_matrices(model)
        models.execute(
            [
                f"{options.bin}/nnet3-compile",
                f"--target={options.target}",
                "--chunk=150",
                "--frame-subsampling-factor=3",
                f"--extra-left-context={extra}",
                f"--sequences={options.sequences}",
                "--weights=file",
                "-o",
                f"{options.folder}/{name}",
                model,
            ]
        )


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        sys.exit(f"error: {error}")
