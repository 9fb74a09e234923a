#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times libraries beside ONNX Runtime and OpenVINO, in one run.

    benchmarks/peers/compare.py [--bin=build/bin] [--rounds=N] [--sequences=N...] [NETWORK...]

Networks are tdnn and tdnnf of benchmarks/networks, for chunks of 150 frames with
an output for every third, for 1 and 64 sequences. The peers run the same networks
with the same weights, written as ONNX in two layouts (onnx_networks.py), in
float32 with one thread. First the outputs are compared. Then everything runs in
turn, again and again; times are medians of processor times. Needs the packages
of requirements.txt; scripts/benchmark-peers.sh installs them and runs this.
"""
import argparse
import os
import pathlib
import random
import statistics
import sys
import tempfile
import time

import numpy
import onnxruntime
import openvino

ROOT = pathlib.Path(__file__).resolve().parents[2]
for folder in ("benchmarks", "benchmarks/gpu", "examples/python"):
    sys.path.insert(0, str(ROOT / folder))
import models
from nnet3_library import Library
from nnet3_weights import Weights
from onnx_networks import LAYOUTS, NETWORKS, make_model

CHUNK = 150
# Of the largest output.
TOLERANCE = 1e-4


def make_onnx_runtime(model):
    """A function from inputs to the output."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    return lambda inputs: session.run(["output"], inputs)[0]


def make_openvino(model):
    """A function from inputs to the output."""
    core = openvino.Core()
    compiled = core.compile_model(
        core.read_model(model.SerializeToString()),
        "CPU",
        {
            "INFERENCE_NUM_THREADS": 1,
            "NUM_STREAMS": 1,
            "INFERENCE_PRECISION_HINT": "f32",
            "PERFORMANCE_HINT": "LATENCY",
        },
    )
    request = compiled.create_infer_request()

    def run(inputs):
        request.infer(inputs, share_inputs=True)
        return request.get_output_tensor().data

    return run


PEERS = {"ONNX Runtime": make_onnx_runtime, "OpenVINO": make_openvino}


class Case:
    """A network for so many sequences, and everything that computes it."""

    def __init__(self, folder, name, sequences):
        library = Library(f"{folder}/lib{name}.so", name)
        request = f"chunk{CHUNK}" + (f"x{sequences}" if sequences > 1 else "")
        instance = library.instance(request)
        generator = numpy.random.default_rng(1)
        rows = {
            m.name: generator.standard_normal((m.rows, m.cols), numpy.float32)
            for m in instance.inputs
        }
        self.expected = instance.run(rows)["output"].copy()
        self.runs = {"nnet3": lambda: instance.run(rows)["output"]}
        frames = len(rows["input"]) // sequences
        inputs = {
            "input": rows["input"].reshape(sequences, frames, -1),
            "ivector": rows["ivector"],
        }
        weights = Weights(f"{folder}/{name}.raw")
        for layout in LAYOUTS:
            model, self.flops = make_model(name, weights, layout, sequences, frames)
            for peer, make in PEERS.items():
                self.add_peer(f"{peer}, {layout}", make(model), inputs)

    def add_peer(self, name, run, inputs):
        output = run(inputs).reshape(self.expected.shape)
        largest = numpy.abs(self.expected).max()
        error = numpy.abs(output - self.expected).max() / largest
        if not error <= TOLERANCE:
            sys.exit(f"error: {name}: outputs differ by {error:.2g} of the largest")
        self.runs[name] = lambda: run(inputs)

    def measure(self, rounds):
        """Median seconds of each."""
        times = {name: [] for name in self.runs}
        for _ in range(rounds + 1):
            for name, run in self.runs.items():
                begin = time.process_time()
                run()
                times[name].append(time.process_time() - begin)
        # The first round warms up.
        return {name: statistics.median(t[1:]) for name, t in times.items()}


def prepare(tools, folder, name, sequences):
    """Writes the model and its library."""
    model = f"{folder}/{name}.raw"
    with tempfile.TemporaryDirectory() as scratch:
        models.write_model(f"{tools}/nnet3-run", scratch, name, model)
    models.execute(
        [
            f"{tools}/nnet3-compile",
            f"--chunk={CHUNK}",
            "--frame-subsampling-factor=3",
            f"--sequences={','.join(map(str, sequences))}",
            "-o",
            f"{folder}/{name}",
            model,
        ]
    )


def print_rows(name, sequences, case, times):
    for run, seconds in times.items():
        print(
            f"| {name} | {sequences} | {run} | {seconds * 1e3:.2f} "
            f"| {case.flops / seconds * 1e-9:.0f} "
            f"| {seconds / times['nnet3']:.2f} |",
            flush=True,
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", default=ROOT / "build/bin")
    parser.add_argument("--rounds", type=int, default=0, help="default: 100 or 10")
    parser.add_argument("--sequences", type=int, nargs="+", default=[1, 64])
    parser.add_argument("networks", nargs="*", default=list(NETWORKS))
    options = parser.parse_args()
    for name in options.networks:
        if name not in NETWORKS:
            sys.exit(f"error: expects some of {', '.join(NETWORKS)}, but got '{name}'")
    random.seed(1)
    print(f"onnxruntime {onnxruntime.__version__}, openvino {openvino.__version__}")
    print("| network | sequences | by | ms | GFLOP/s | times as long as nnet3 |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name in options.networks:
            prepare(options.bin, folder, name, options.sequences)
            for sequences in options.sequences:
                case = Case(folder, name, sequences)
                rounds = options.rounds or (100 if sequences == 1 else 10)
                print_rows(name, sequences, case, case.measure(rounds))


if __name__ == "__main__":
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    main()
