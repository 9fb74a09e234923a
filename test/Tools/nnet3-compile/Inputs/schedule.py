#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Streams utterances through a scheduler, each from a thread of its own, several
times at once. Prints the outputs of one time as a text archive."""

import pathlib
import random
import sys
import threading

sys.path[:0] = [sys.argv[1], str(pathlib.Path(__file__).parent)]

import numpy  # noqa: E402
from nnet3_scheduler import Error, Scheduler  # noqa: E402
from stream_utterances import read  # noqa: E402

TIMES = 6


def numbers(rows):
    return numpy.array([[float(x) for x in row] for row in rows], numpy.float32)


def run(scheduler, frames, ivector, seed, outputs, key):
    draw = random.Random(seed)
    stream = scheduler.open()
    parts, start = [], 0
    while start < len(frames):
        end = start + draw.randint(1, 30)
        stream.push(frames[start:end], ivector if start == 0 else None)
        parts.append(stream.poll())
        start = end
    stream.close()
    outputs[key] = numpy.concatenate(parts + [stream.rest()])


def check_errors(code, path):
    for arguments, expected in [
        ((path, "other"), "the library has no function 'other_abi_version'"),
        (("/nowhere.so", "net"), "cannot map '/nowhere.so'"),
    ]:
        try:
            Scheduler(code, *arguments)
        except Error as error:
            assert expected in str(error), error
        else:
            raise AssertionError(expected)
    stream = Scheduler(code, path, "net").open()
    try:
        stream.push(numpy.zeros((1, 20)))
    except Error as error:
        assert "missing" in str(error), error
    else:
        raise AssertionError("frames without an i-vector")


def main():
    code, path, features, ivectors = sys.argv[2:]
    check_errors(code, path)
    ivectors = read(ivectors)
    scheduler = Scheduler(code, path, "net", num_workers=2, max_wait=0.005)
    outputs, threads = {}, []
    for key, rows in read(features).items():
        for time in range(TIMES):
            arguments = (scheduler, numbers(rows), numbers(ivectors[key])[0])
            arguments += (len(threads), outputs, (key, time))
            threads.append(threading.Thread(target=run, args=arguments))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for (key, time), rows in sorted(outputs.items()):
        assert (rows == outputs[key, 0]).all(), "depends on the load"
        if time > 0:
            continue
        print(key, " [")
        for row in rows:
            print(" ", *(f"{value:.8g}" for value in row))
        print("]")
    metrics = scheduler.metrics(batch_sizes=16)
    assert metrics.num_ended == len(threads) and metrics.num_failed == 0
    assert sum(metrics.batch_sizes[:16]) == metrics.num_steps
    assert 0 < metrics.latency_p50 <= metrics.latency_p99


main()
