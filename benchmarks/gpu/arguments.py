# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists on the command lines of scripts for GPUs."""
import argparse


def read_numbers(text):
    try:
        return [int(number) for number in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"expects numbers, separated by commas, but got '{text}'"
        ) from None


def read_names(known):
    """Reads a list of some of the names that are known."""

    def read(text):
        names = text.split(",")
        for name in names:
            if name not in known:
                raise argparse.ArgumentTypeError(
                    f"expects some of {','.join(known)}, but got '{name}'"
                )
        return names

    return read
