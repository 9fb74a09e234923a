#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Streams utterances with examples/python: frames come in bunches of random
sizes, and half-way each stream is copied. Prints a text archive."""

import pathlib
import random
import sys

sys.path[:0] = [sys.argv[1], str(pathlib.Path(__file__).parent)]

import numpy  # noqa: E402
from nnet3_library import Library  # noqa: E402
from nnet3_stream import Stepper  # noqa: E402
from stream_utterances import read  # noqa: E402


def numbers(rows):
    return numpy.array([[float(x) for x in row] for row in rows], numpy.float32)


def main():
    library, features, ivectors = sys.argv[2:]
    stepper = Stepper(Library(library, "net"))
    ivectors = read(ivectors)
    draw = random.Random(1)
    for key, rows in read(features).items():
        frames = numbers(rows)
        stream = stepper.stream(numbers(ivectors[key])[0])
        outputs, start = [], 0
        while start < len(frames):
            count = draw.randint(0, 40)
            branch = stream.copy()
            output = stream.push(frames[start : start + count])
            assert (branch.push(frames[start : start + count]) == output).all()
            stream = branch
            outputs.append(output)
            start += count
        outputs.append(stream.finish())
        print(key, " [")
        for row in numpy.concatenate(outputs):
            print(" ", *(f"{value:.8g}" for value in row))
        print("]")


main()
