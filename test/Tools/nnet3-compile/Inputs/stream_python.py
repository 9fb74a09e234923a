#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Streams utterances with examples/python, all at once: frames come in bunches of
random sizes, and on the way each stream is copied or saved. In the end each begins
again. Prints a text archive."""

import pathlib
import pickle
import random
import sys

sys.path[:0] = [sys.argv[1], str(pathlib.Path(__file__).parent)]

import numpy  # noqa: E402
from nnet3_library import Error, Library  # noqa: E402
from nnet3_stream import Stepper, Stream  # noqa: E402
from stream_utterances import read  # noqa: E402


def numbers(rows):
    return numpy.array([[float(x) for x in row] for row in rows], numpy.float32)


def move(stream):
    """The stream as another process would go on with it."""
    saved = pickle.loads(pickle.dumps(stream.save()))
    state = bytearray(saved["_state"])
    state[len(state) // 2] ^= 1
    for wrong in [bytes(state), saved["_state"][:-1]]:
        try:
            Stream.restore(stream.stepper, {**saved, "_state": wrong})
            raise AssertionError("took a damaged state")
        except Error:
            pass
    return Stream.restore(stream.stepper, saved)


def main():
    library, features, ivectors = sys.argv[2:]
    stepper = Stepper(Library(library, "net"))
    ivectors = read(ivectors)
    draw = random.Random(1)
    utterances = {key: numbers(rows) for key, rows in read(features).items()}
    streams, outputs, starts = {}, {}, {}
    for key in utterances:
        streams[key] = stepper.stream(numbers(ivectors[key])[0])
        outputs[key], starts[key] = [], 0
    while any(starts[key] < len(frames) for key, frames in utterances.items()):
        frames, branches = {}, {}
        for key, stream in streams.items():
            end = starts[key] + draw.randint(0, 40)
            frames[stream] = utterances[key][starts[key] : end]
            starts[key] = end
            branches[key] = draw.choice([Stream.copy, move])(stream)
        computed = stepper.push(frames)
        for key, stream in streams.items():
            alone = branches[key].push(frames[stream])
            assert (alone == computed[stream]).all()
            outputs[key].append(computed[stream])
            streams[key] = branches[key]
    for key, stream in streams.items():
        outputs[key].append(stream.finish())
        output = numpy.concatenate(outputs[key])
        stream.reset(numbers(ivectors[key])[0])
        again = [stream.push(utterances[key]), stream.finish()]
        assert (numpy.concatenate(again) == output).all()
        print(key, " [")
        for row in output:
            print(" ", *(f"{value:.8g}" for value in row))
        print("]")


main()
