#!/usr/bin/env python3
"""Times libraries for a GPU beside PyTorch, in one run, and prints ratios.

    benchmarks/gpu/compare.py [--device=cuda] FOLDER

FOLDER is what prepare.py made. The peers are the same networks with the same
weights in PyTorch: eager, a CUDA graph of that, and torch.compile with CUDA
graphs. Float32 throughout, TF32 off. First the outputs are compared. Then
everything runs in turn, again and again; times are medians, from data in the
memory of the host to data in the memory of the host. Needs numpy and PyTorch
and nothing else of this project than examples/python. --device=cpu compares
the outputs of libraries for the CPU with eager PyTorch, and times both.
"""
import argparse
import os
import statistics
import subprocess
import sys
import time

import numpy
import torch

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "examples", "python"))
import peers
from nnet3_library import Error, Library
from nnet3_weights import Weights

# Necessary floating-point operations of a chunk of one sequence.
FLOPS = {"tdnnf": 3.10e9, "lstmp": 1.44e9}
TOLERANCE = 1e-4  # of the largest output

COLD_START = """
import sys, time
sys.path.insert(0, sys.argv[1])
import numpy
from nnet3_library import Library
begin = time.perf_counter()
instance = Library(sys.argv[2], sys.argv[3], sys.argv[4]).instance("chunk150")
zeros = {m.name: numpy.zeros((m.rows, m.cols), "f") for m in instance.inputs}
instance.run(zeros)
print(time.perf_counter() - begin)
"""


class Case:
    """A network for so many sequences, and random inputs."""

    def __init__(self, folder, name, sequences):
        self.name, self.sequences = name, sequences
        library = Library(
            f"{folder}/lib{name}.so", name, f"{folder}/{name}.weights"
        )
        request = "chunk150" + (f"x{sequences}" if sequences > 1 else "")
        self.instance = library.instance(request)
        random = numpy.random.default_rng(1)
        self.inputs = {
            m.name: random.standard_normal((m.rows, m.cols), numpy.float32)
            for m in self.instance.inputs
        }

    def run_library(self):
        return self.instance.run(self.inputs)["output"]

    def tensors(self, device):
        """The inputs as PyTorch has them, in memory the device can copy."""
        frames, ivector = (
            torch.from_numpy(self.inputs[key]).view(self.sequences, -1, cols)
            for key, cols in (("input", 40), ("ivector", 100))
        )
        if device == "cuda":
            frames, ivector = frames.pin_memory(), ivector.pin_memory()
        return frames, ivector[:, 0]


def on_device(network, inputs, device):
    """A function that copies the inputs, runs the network and copies back."""

    def run():
        with torch.no_grad():
            moved = [x.to(device, non_blocking=True) for x in inputs]
            return network(*moved).cpu()

    return run


def graph_of(network, inputs):
    """The same through a CUDA graph of the network."""
    moved = [x.cuda() for x in inputs]
    stream = torch.cuda.Stream()
    with torch.no_grad(), torch.cuda.stream(stream):
        for _ in range(3):
            network(*moved)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.no_grad(), torch.cuda.graph(graph):
        output = network(*moved)

    def run():
        for x, source in zip(moved, inputs):
            x.copy_(source, non_blocking=True)
        graph.replay()
        return output.cpu()

    return run


def make_peers(case, weights, device):
    """What PyTorch has to offer, by name."""
    inputs = case.tensors(device)
    result = {}
    for layout in peers.LAYOUTS[case.name]:
        network = peers.NETWORKS[case.name](weights, layout).to(device).eval()
        result[f"eager, {layout}"] = on_device(network, inputs, device)
        if device == "cuda":
            result[f"graph, {layout}"] = graph_of(network, inputs)
            compiled = torch.compile(network, mode="reduce-overhead")
            result[f"compile, {layout}"] = on_device(compiled, inputs, device)
    return result


def check(case, runs):
    """Compares every peer's output with the library's."""
    output = case.run_library()
    limit = TOLERANCE * abs(output).max()
    for name, run in runs.items():
        error = abs(run().numpy().reshape(output.shape) - output).max()
        if not error <= limit:
            sys.exit(
                f"{case.name}, {case.sequences} sequences: {name} is "
                f"{error:g} away from the library"
            )


def measure(runs, seconds):
    """Median seconds of each, run in turn."""
    times = {name: [] for name in runs}
    end = time.perf_counter() + seconds * len(runs)
    while time.perf_counter() < end:
        for name, run in runs.items():
            begin = time.perf_counter()
            run()
            times[name].append(time.perf_counter() - begin)
    return {name: statistics.median(all) for name, all in times.items()}


def get_products(case, weights):
    """Rows, depth and columns of the network's products."""
    network = peers.NETWORKS[case.name](weights)
    shapes = []
    multiply = torch.nn.functional.linear

    def record(x, weight, bias=None):
        shapes.append((x.shape[:-1].numel(), x.shape[-1], len(weight)))
        return multiply(x, weight, bias)

    torch.nn.functional.linear = record
    try:
        with torch.no_grad():
            network(*case.tensors("cpu"))
    finally:
        torch.nn.functional.linear = multiply
    return shapes


def get_sgemm_rate(shapes):
    """Floating-point operations a second of cuBLAS over all the products."""
    seconds = 0
    for rows, depth, columns in shapes:
        a = torch.randn(rows, depth, device="cuda")
        b = torch.randn(columns, depth, device="cuda")
        c = torch.empty(rows, columns, device="cuda")
        for _ in range(3):
            torch.mm(a, b.t(), out=c)
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in "be")
        begin.record()
        for _ in range(20):
            torch.mm(a, b.t(), out=c)
        end.record()
        torch.cuda.synchronize()
        seconds += begin.elapsed_time(end) / 20e3
    return sum(2 * m * k * n for m, k, n in shapes) / seconds


def get_cold_start(folder, name):
    """Seconds from opening the library to its first output, in a process of
    its own."""
    files = [f"{folder}/lib{name}.so", name, f"{folder}/{name}.weights"]
    examples = os.path.join(HERE, "..", "..", "examples", "python")
    output = subprocess.run(
        [sys.executable, "-c", COLD_START, examples] + files,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return float(output.stdout)


def compare(case, weights, device, seconds):
    """Prints a row of the table for the library and each peer."""
    runs = make_peers(case, weights, device)
    check(case, runs)
    runs = {"library": case.run_library, **runs}
    times = measure(runs, seconds)
    best = min(time for name, time in times.items() if name != "library")
    rate = None
    if device == "cuda":
        rate = get_sgemm_rate(get_products(case, weights))
    for name, median in times.items():
        flops = FLOPS[case.name] * case.sequences / median
        share = f"{flops / rate:.2f}" if rate else ""
        print(
            f"| {case.name} | {case.sequences} | {name} | {1e3 * median:.3f} "
            f"| {share} | {best / median:.2f} |",
            flush=True,
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--device", default="cuda", choices=["cuda", "cpu"])
    parser.add_argument("--sequences", default="1,64,512")
    parser.add_argument("--networks", default="tdnnf,lstmp")
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("folder")
    options = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    print(
        "| network | sequences | what | ms | of SGEMM's rate "
        "| times as fast as PyTorch's best |"
    )
    print("|---|---|---|---|---|---|")
    try:
        for name in options.networks.split(","):
            weights = Weights(f"{options.folder}/{name}.raw")
            for sequences in map(int, options.sequences.split(",")):
                case = Case(options.folder, name, sequences)
                compare(case, weights, options.device, options.seconds)
            cold = get_cold_start(options.folder, name)
            print(f"| {name} | 1 | cold start | {1e3 * cold:.0f} | | |")
    except (Error, OSError) as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
