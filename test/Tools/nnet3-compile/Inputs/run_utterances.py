#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes utterances with the chunks of a library, by examples/python, and
prints a text archive: PYTHON-EXAMPLES LIBRARY FEATURES IVECTORS."""

import pathlib
import sys

sys.path[:0] = [sys.argv[1], str(pathlib.Path(__file__).parent)]

import numpy  # noqa: E402
from nnet3_library import Library  # noqa: E402
from stream_utterances import read  # noqa: E402


def numbers(rows):
    return numpy.array([[float(x) for x in row] for row in rows], numpy.float32)


def main():
    library = Library(sys.argv[2], "net")
    for chunk in library.chunks():
        print(*chunk, file=sys.stderr)
    ivectors = read(sys.argv[4])
    for key, rows in read(sys.argv[3]).items():
        output = library.run_utterance(numbers(rows), numbers(ivectors[key])[0])
        print(key, " [")
        lines = [" ".join(f"{x:.9g}" for x in row) for row in output]
        print("\n".join(lines), "]")


if __name__ == "__main__":
    main()
