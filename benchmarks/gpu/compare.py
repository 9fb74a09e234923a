#!/usr/bin/env python3
"""Times libraries for a GPU beside PyTorch, in one run, and prints ratios.

    benchmarks/gpu/compare.py [--device=cuda] FOLDER

FOLDER is what prepare.py made. The peers are the same networks with the same
weights in PyTorch: eager, a CUDA graph of that, and torch.compile with CUDA
graphs. Float32 throughout, TF32 off. First the outputs are compared. Then
everything runs in turn, again and again; times are medians, from data in the
memory of the host to data in the memory of the host, and from data on the
device to data on the device. SGEMM's rate is that of cuBLAS over the network's
products, one after the other. Needs numpy and PyTorch, and nothing else of this
project than examples/python. --device=cpu compares the outputs of libraries for
the CPU with eager PyTorch, and times both.
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


class Run:
    """Something to time: from the host to the host, and on the device."""

    def __init__(self, on_host, on_device):
        self.on_host, self.on_device = on_host, on_device


class Case:
    """A network for so many sequences, and random inputs."""

    def __init__(self, folder, name, sequences, device):
        self.name, self.sequences, self.device = name, sequences, device
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

    def make_library_run(self):
        def on_host():
            return self.instance.run(self.inputs)["output"]

        if self.device == "cpu":
            return Run(on_host, on_host)
        moved = {
            name: torch.from_numpy(value).cuda()
            for name, value in self.inputs.items()
        }
        output = torch.empty(on_host().shape, device="cuda")
        torch.cuda.synchronize()
        inputs = {name: value.data_ptr() for name, value in moved.items()}
        outputs = {"output": output.data_ptr()}

        def on_device():
            self.instance.run_on_device(inputs, outputs)
            return output

        return Run(on_host, on_device)

    def tensors(self, device):
        """The inputs as PyTorch has them, in memory the device can copy."""
        frames, ivector = (
            torch.from_numpy(self.inputs[key]).view(self.sequences, -1, cols)
            for key, cols in (("input", 40), ("ivector", 100))
        )
        if device == "cuda":
            frames, ivector = frames.pin_memory(), ivector.pin_memory()
        return frames, ivector[:, 0]


def synchronize(device):
    if device == "cuda":
        torch.cuda.synchronize()


def make_eager(network, inputs, device):
    """A run of the network as it is, eager or compiled."""
    moved = [x.to(device) for x in inputs]

    def on_host():
        with torch.no_grad():
            copies = [x.to(device, non_blocking=True) for x in inputs]
            return network(*copies).cpu()

    def on_device():
        with torch.no_grad():
            output = network(*moved)
        synchronize(device)
        return output

    return Run(on_host, on_device)


def make_graph(network, inputs):
    """A run of a CUDA graph of the network."""
    moved = [x.cuda() for x in inputs]
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.no_grad(), torch.cuda.stream(stream):
        for _ in range(3):
            network(*moved)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.no_grad(), torch.cuda.graph(graph):
        output = network(*moved)

    def on_host():
        for x, source in zip(moved, inputs):
            x.copy_(source, non_blocking=True)
        graph.replay()
        return output.cpu()

    def on_device():
        graph.replay()
        torch.cuda.synchronize()
        return output

    return Run(on_host, on_device)


def make_peers(case, weights):
    """What PyTorch has to offer, by name."""
    inputs = case.tensors(case.device)
    result = {}
    for layout in peers.LAYOUTS[case.name]:
        network = peers.NETWORKS[case.name](weights, layout)
        network = network.to(case.device).eval()
        result[f"eager, {layout}"] = make_eager(network, inputs, case.device)
        if case.device == "cuda":
            result[f"graph, {layout}"] = make_graph(network, inputs)
            compiled = torch.compile(network, mode="reduce-overhead")
            result[f"compile, {layout}"] = make_eager(compiled, inputs, "cuda")
    return result


def check(case, expected, runs):
    """Compares every output with what the library gave."""
    limit = TOLERANCE * abs(expected).max()
    for name, run in runs.items():
        for compute in (run.on_host, run.on_device):
            output = torch.as_tensor(compute()).cpu().numpy()
            error = abs(output.reshape(expected.shape) - expected).max()
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


def compare(case, weights, seconds):
    """Prints a row of the table for the library and each peer."""
    runs = {"library": case.make_library_run(), **make_peers(case, weights)}
    check(case, case.instance.run(case.inputs)["output"], runs)
    on_host = measure({k: run.on_host for k, run in runs.items()}, seconds)
    on_device = measure({k: run.on_device for k, run in runs.items()}, seconds)
    rate = None
    if case.device == "cuda":
        rate = get_sgemm_rate(get_products(case, weights))

    def get_speedup(times, name):
        best = min(time for key, time in times.items() if key != "library")
        return best / times[name]

    for name in runs:
        flops = FLOPS[case.name] * case.sequences / on_device[name]
        share = f"{flops / rate:.2f}" if rate else ""
        print(
            f"| {case.name} | {case.sequences} | {name} "
            f"| {1e3 * on_host[name]:.3f} | {get_speedup(on_host, name):.2f} "
            f"| {1e3 * on_device[name]:.3f} "
            f"| {get_speedup(on_device, name):.2f} | {share} |",
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
        "| network | sequences | what | host to host, ms | times as fast as "
        "PyTorch's best | on the device, ms | times as fast | of SGEMM's rate |"
    )
    print("|---|---|---|---|---|---|---|---|")
    try:
        for name in options.networks.split(","):
            weights = Weights(f"{options.folder}/{name}.raw")
            for sequences in map(int, options.sequences.split(",")):
                case = Case(options.folder, name, sequences, options.device)
                compare(case, weights, options.seconds)
            cold = get_cold_start(options.folder, name)
            print(f"| {name} | 1 | cold start | {1e3 * cold:.0f} | | | | |")
    except (Error, OSError) as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
