#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks libraries where only a GPU can: streams, threads and recordings.

    benchmarks/gpu/streams.py FOLDER

FOLDER is what prepare.py made. Whatever way a run takes, its outputs are those
of the first run of an instance, to the bit. Needs numpy and PyTorch.
"""
import os
import sys
import threading
import traceback

from packages import numpy, torch

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "examples", "python"))
from nnet3_library import Error, Library

CHUNKS = 12
LEGACY_STREAM = 1  # CU_STREAM_LEGACY


class Checks:
    def __init__(self, folder, name):
        self.model = Library(
            f"{folder}/lib{name}.so", name, f"{folder}/{name}.weights"
        )
        random = numpy.random.default_rng(1)
        inputs = self.model.instance("chunk150").inputs
        self.chunks = [
            {
                m.name: random.standard_normal(
                    (m.rows, m.cols), dtype=numpy.float32
                )
                for m in inputs
            }
            for _ in range(CHUNKS)
        ]
        self.expected = [
            self.model.run("chunk150", chunk)["output"]
            for chunk in self.chunks
        ]

    def expect(self, chunk, output):
        expected = self.expected[chunk]
        wrong = numpy.argwhere(~(output == expected))
        if len(wrong):
            row, col = wrong[0]
            raise AssertionError(
                f"chunk {chunk}: {len(wrong)} of {expected.size} values differ,"
                f" first at [{row}, {col}]: expected "
                f"{expected[row, col]:.9g}, got {output[row, col]:.9g}"
            )

    def replays(self):
        instance = self.model.instance("chunk150")
        for number, chunk in enumerate(self.chunks):
            self.expect(number, instance.run(chunk)["output"])

    def two_in_turn(self):
        a, b = (self.model.instance("chunk150") for _ in "ab")
        a.submit(self.chunks[0])
        for number in range(1, CHUNKS):
            b.submit(self.chunks[number])
            self.expect(number - 1, a.wait()["output"])
            a, b = b, a
        self.expect(CHUNKS - 1, a.wait()["output"])

    def threads(self):
        failures = []

        def work(first):
            try:
                for _ in range(3):  # made, recorded and destroyed beside others
                    instance = self.model.instance("chunk150")
                    for step in range(4):
                        number = (first + step) % CHUNKS
                        output = instance.run(self.chunks[number])["output"]
                        self.expect(number, output)
            except Exception:
                failures.append(traceback.format_exc())

        threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failures:
            raise AssertionError(failures[0])

    def _on_device(self, number, stream, padding):
        """The inputs of a chunk on the device, room for its output, and what
        puts a run into the stream."""
        instance = self.model.instance("chunk150", stream=stream)
        inputs, strides = {}, {}
        for m in instance.inputs:
            wide = torch.zeros(m.rows, m.cols + padding, device="cuda")
            wide[:, : m.cols] = torch.from_numpy(self.chunks[number][m.name])
            inputs[m.name], strides[m.name] = wide, m.cols + padding
        (m,) = instance.outputs
        output = torch.full((m.rows, m.cols + padding), -1.0, device="cuda")
        strides[m.name] = m.cols + padding
        torch.cuda.synchronize()
        addresses = {name: x.data_ptr() for name, x in inputs.items()}

        def submit():
            instance.submit_on_device(
                addresses, {m.name: output.data_ptr()}, strides
            )

        return instance, inputs, output, submit

    def _check_on_device(self, stream, padding):
        if stream == LEGACY_STREAM:
            there = torch.cuda.default_stream()
        else:
            there = torch.cuda.ExternalStream(stream)
        instance, _, output, submit = self._on_device(2, stream, padding)
        cols = instance.outputs[0].cols
        for _ in range(3):
            output.fill_(-1)
            torch.cuda.synchronize()
            submit()
            with torch.cuda.stream(there):
                copy = output.clone()  # behind the run, in the same stream
            torch.cuda.synchronize()
            self.expect(2, copy[:, :cols].cpu().numpy())
            if padding and not (copy[:, cols:] == -1).all():
                raise AssertionError("something wrote between the rows")

    def stream_of_the_caller(self):
        stream = torch.cuda.Stream()
        for padding in (0, 3):
            self._check_on_device(stream.cuda_stream, padding)

    def default_stream(self):
        self._check_on_device(LEGACY_STREAM, 0)

    def recorded_by_the_caller(self):
        stream = torch.cuda.Stream()
        _, inputs, output, submit = self._on_device(3, stream.cuda_stream, 0)
        submit()
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(
            graph, stream=stream, capture_error_mode="thread_local"
        ):
            submit()
        for number in (4, 5):
            for name, x in inputs.items():
                x.copy_(torch.from_numpy(self.chunks[number][name]))
            graph.replay()
            torch.cuda.synchronize()
            self.expect(number, output.cpu().numpy())


CHECKS = [
    Checks.replays,
    Checks.two_in_turn,
    Checks.threads,
    Checks.stream_of_the_caller,
    Checks.default_stream,
    Checks.recorded_by_the_caller,
]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    failed = 0
    for name in ("tdnnf", "lstmp"):
        try:
            checks = Checks(sys.argv[1], name)
        except (Error, OSError) as error:
            sys.exit(f"error: {error}")
        for check in CHECKS:
            try:
                check(checks)
                print(f"ok: {name}, {check.__name__}", flush=True)
            except Exception:
                failed += 1
                print(f"FAILED: {name}, {check.__name__}", flush=True)
                traceback.print_exc(file=sys.stdout)
    print(f"{2 * len(CHECKS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
