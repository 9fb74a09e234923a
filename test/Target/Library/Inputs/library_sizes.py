# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a model for few and for many sequences, and compares the sizes of the
libraries without their weights."""

import pathlib
import subprocess
import sys


def get_size(tools, model, num_sequences, folder, options):
    command = [
        pathlib.Path(tools, "nnet3-compile"),
        model,
        "--chunk=30",
        "--frame-subsampling-factor=3",
        f"--sequences={num_sequences}",
        "--weights=file",
        *options,
        "-o",
        pathlib.Path(folder, "net"),
    ]
    subprocess.run(command, check=True)
    return pathlib.Path(folder, "libnet.so").stat().st_size


def main():
    tools, model, counts, folder, *options = sys.argv[1:]
    few, many = (
        get_size(tools, model, count, folder, options) for count in counts.split(",")
    )
    verdict = "equal" if abs(many - few) <= 0.02 * few else "not equal"
    print(f"{few} and {many} bytes: {verdict}")


main()
