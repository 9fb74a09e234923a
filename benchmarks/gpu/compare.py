#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times libraries for a GPU beside PyTorch, in one run, and prints ratios.

    benchmarks/gpu/compare.py [--device=cuda] FOLDER

FOLDER is what prepare.py made. The peers are the same networks with the same
weights in PyTorch: eager, a CUDA graph of that, and torch.compile with CUDA
graphs. Float32 throughout, TF32 off. First the outputs are compared. Then
everything runs in turn, again and again; times are medians, from data in the
memory of the host to data in the memory of the host, and from data on the
device to data on the device, with nothing of it pageable but what the library
is given. SGEMM's rate is that of cuBLAS over the network's products, one after
the other. What fails is a line, and the others go on. At the end is what was
wanted of them; the exit status tells whether outputs agree. Needs numpy and
PyTorch, and of this project nothing but examples/python. --device=cpu compares
the outputs of libraries for the CPU with eager PyTorch, and times both.
"""
import argparse
import gc
import os
import statistics
import subprocess
import sys
import time

from packages import numpy, torch

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "examples", "python"))
import peers
from arguments import read_names, read_numbers
from nnet3_library import Error, Library
from nnet3_weights import Weights

# Necessary floating-point operations of a chunk of one sequence.
FLOPS = {"tdnnf": 3.10e9, "lstmp": 1.44e9}
PEERS = ["eager", "graph", "compile"]
TOLERANCE = 1e-4  # of the largest output

# What is wanted of a network: of its sequences, a ratio or milliseconds.
WANTED = [
    ("tdnnf", 64, "of SGEMM's rate", ">=", 0.75),
    ("tdnnf", 512, "of SGEMM's rate", ">=", 0.75),
    ("tdnnf", 64, "times as fast as PyTorch's best", ">=", 1.3),
    ("tdnnf", 512, "times as fast as PyTorch's best", ">=", 1.3),
    ("tdnnf", 1, "ms from host to host", "<", 0.6),
    ("lstmp", 1, "times as fast as eager", ">=", 5),
    ("tdnnf", 1, "ms of a cold start", "<", 1000),
    ("lstmp", 1, "ms of a cold start", "<", 1000),
]

COLD_START = """
import sys, time
sys.path.insert(0, sys.argv[1])
import numpy
from nnet3_library import Error, Library
begin = time.perf_counter()
try:
    instance = Library(*sys.argv[2:]).instance("chunk150")
except (Error, OSError) as error:
    sys.exit(f"error: {error}")
made = time.perf_counter()
zeros = {m.name: numpy.zeros((m.rows, m.cols), "f") for m in instance.inputs}
instance.run(zeros)
print(time.perf_counter() - begin, made - begin)
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
            m.name: random.standard_normal((m.rows, m.cols), dtype=numpy.float32)
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


class Download:
    """Copies to memory of the host that the device can write."""

    def __init__(self):
        self.pinned = None

    def __call__(self, output):
        if output.device.type == "cpu":
            return output
        if self.pinned is None:
            self.pinned = torch.empty(output.shape, pin_memory=True)
        self.pinned.copy_(output, non_blocking=True)
        torch.cuda.synchronize()
        return self.pinned


def make_eager(network, inputs, device):
    """A run of the network as it is, eager or compiled."""
    moved = [x.to(device) for x in inputs]
    download = Download()

    def on_host():
        with torch.inference_mode():
            copies = [x.to(device, non_blocking=True) for x in inputs]
            return download(network(*copies))

    def on_device():
        with torch.inference_mode():
            output = network(*moved)
        synchronize(device)
        return output

    return Run(on_host, on_device)


def make_graph(network, inputs):
    """A run of a CUDA graph of the network."""
    moved = [x.cuda() for x in inputs]
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.inference_mode(), torch.cuda.stream(stream):
        for _ in range(3):
            network(*moved)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.inference_mode(), torch.cuda.graph(graph, stream=stream):
        output = network(*moved)
    download = Download()

    def on_host():
        for x, source in zip(moved, inputs):
            x.copy_(source, non_blocking=True)
        graph.replay()
        return download(output)

    def on_device():
        graph.replay()
        torch.cuda.synchronize()
        return output

    return Run(on_host, on_device)


def compile_network(name, network):
    """What torch.compile makes of it in reasonable time: of recurrent networks
    the steps, as all of them together take minutes."""
    if name == "lstmp":
        for layer in network.lstms:
            layer.step = torch.compile(layer.step)
        return network
    return torch.compile(network)


def make_peers(case, weights, kinds):
    """What PyTorch has to offer: by name, what makes a run."""
    inputs = case.tensors(case.device)
    result = {}
    for layout in peers.LAYOUTS[case.name]:

        def build(layout=layout):
            network = peers.NETWORKS[case.name](weights, layout)
            return network.to(case.device).eval()

        def build_compiled(build=build):
            return compile_network(case.name, build())

        if "eager" in kinds:
            result[f"eager, {layout}"] = lambda build=build: make_eager(
                build(), inputs, case.device
            )
        if "graph" in kinds and case.device == "cuda":
            result[f"graph, {layout}"] = lambda build=build: make_graph(
                build(), inputs
            )
        if "compile" in kinds and case.device == "cuda":
            result[f"compiled graph, {layout}"] = (
                lambda build=build_compiled: make_graph(build(), inputs)
            )
    return result


def find_difference(case, expected, run):
    """What is wrong with the outputs of a run; None if they are right."""
    limit = TOLERANCE * abs(expected).max()
    for kind, compute in (
        ("on the host", run.on_host),
        ("on the device", run.on_device),
    ):
        output = torch.as_tensor(compute()).cpu().numpy()
        error = abs(output.reshape(expected.shape) - expected)
        wrong = numpy.argwhere(~(error <= limit))
        if len(wrong):
            row, col = wrong[0]
            return (
                f"{kind}, {len(wrong)} of {expected.size} values are more than "
                f"{limit:g} away, at most {error.max():g}; first at "
                f"[{row}, {col}]: {output.reshape(expected.shape)[row, col]:g}"
                f" instead of {expected[row, col]:g}"
            )
    return None


def make_runs(case, makers, expected):
    """The runs that can be made and are right; prints a line for others, and
    gives whether one of them was wrong."""
    runs, is_wrong = {}, False
    for name, make in makers.items():
        where = f"{case.name}, {case.sequences} sequences, {name}"
        try:
            run = make()
            difference = find_difference(case, expected, run)
        except Exception as error:
            text = (str(error).splitlines() or [""])[0]
            print(f"\n{where}: failed: {type(error).__name__}: {text}\n")
            is_wrong |= name == "library"
            continue
        if difference:
            print(f"\n{where}: wrong: {difference}\n")
            is_wrong = True
            continue
        runs[name] = run
    return runs, is_wrong


def measure(runs, seconds):
    """Median seconds of each, run in turn, once the device is at its speed."""
    times = {name: [] for name in runs}
    begin = time.perf_counter()
    while time.perf_counter() < begin + seconds * (len(runs) + 0.25):
        is_warm = time.perf_counter() > begin + 0.25 * seconds
        for name, run in runs.items():
            start = time.perf_counter()
            run()
            if is_warm or not times[name]:
                times[name].append(time.perf_counter() - start)
    return {
        name: statistics.median(all[1:] or all) for name, all in times.items()
    }


def get_products(case, weights):
    """Rows, depth and columns of the network's products."""
    network = peers.NETWORKS[case.name](weights)
    shapes = []
    linear, addmm = torch.nn.functional.linear, torch.addmm

    def record_linear(x, weight, bias=None):
        shapes.append((x.shape[:-1].numel(), x.shape[-1], len(weight)))
        return linear(x, weight, bias)

    def record_addmm(x, a, b):
        shapes.append((len(a), *b.shape))
        return addmm(x, a, b)

    torch.nn.functional.linear, torch.addmm = record_linear, record_addmm
    try:
        with torch.inference_mode():
            network(*case.tensors("cpu"))
    finally:
        torch.nn.functional.linear, torch.addmm = linear, addmm
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


def get_cold_start(folder, name, more):
    """Seconds from opening the library to its first output, and to the
    instance, in a process of its own with `more` in its environment."""
    files = [f"{folder}/lib{name}.so", name, f"{folder}/{name}.weights"]
    examples = os.path.join(HERE, "..", "..", "examples", "python")
    output = subprocess.run(
        [sys.executable, "-c", COLD_START, examples] + files,
        stdout=subprocess.PIPE,
        env={**os.environ, **more},
        text=True,
    )
    if output.returncode != 0:
        raise Error(f"a process with lib{name}.so has failed")
    return tuple(map(float, output.stdout.split()))


def add_cold_starts(folder, name, device, results):
    """A start whose kernels the driver compiles, and one with its cache."""
    kinds = [("cold start", {"CUDA_CACHE_DISABLE": "1"})]
    if device == "cuda":
        kinds += [("to fill the cache", {}), ("cold start, cached", {})]
        # Where the time goes is on stderr.
        more = {"CUDA_CACHE_DISABLE": "1", "NNET3_CUDA": "verbose"}
        kinds += [("phases", more)]
    for kind, more in kinds:
        total, made = get_cold_start(folder, name, more)
        print(
            f"| {name} | 1 | {kind} | {1e3 * total:.0f}, of that "
            f"{1e3 * made:.0f} to the instance | | | | |",
            flush=True,
        )
        results.setdefault((name, 1, "ms of a cold start"), 1e3 * total)


def compare(case, weights, options, results):
    """Prints a row of the table for the library and each peer; whether outputs
    agree."""
    expected = case.instance.run(case.inputs)["output"]
    makers = {"library": case.make_library_run}
    makers.update(make_peers(case, weights, options.peers))
    runs, is_wrong = make_runs(case, makers, expected)
    seconds = options.seconds
    on_host = measure({k: run.on_host for k, run in runs.items()}, seconds)
    on_device = measure({k: run.on_device for k, run in runs.items()}, seconds)
    rate = None
    if case.device == "cuda":
        rate = get_sgemm_rate(get_products(case, weights))

    def get_speedup(times, name, of=""):
        others = [
            time
            for key, time in times.items()
            if key != "library" and key.startswith(of)
        ]
        return min(others) / times[name] if others else float("nan")

    shares = {}
    for name in runs:
        flops = FLOPS[case.name] * case.sequences / on_device[name]
        shares[name] = flops / rate if rate else float("nan")
        print(
            f"| {case.name} | {case.sequences} | {name} "
            f"| {1e3 * on_host[name]:.3f} | {get_speedup(on_host, name):.2f} "
            f"| {1e3 * on_device[name]:.3f} "
            f"| {get_speedup(on_device, name):.2f} | {shares[name]:.2f} |",
            flush=True,
        )
    if "library" in runs:
        here = (case.name, case.sequences)
        library = "library"
        results[(*here, "of SGEMM's rate")] = shares[library]
        results[(*here, "ms from host to host")] = 1e3 * on_host[library]
        # Of the two comparisons, the worse one.
        for what, of in (
            ("times as fast as PyTorch's best", ""),
            ("times as fast as eager", "eager"),
        ):
            results[(*here, what)] = min(
                get_speedup(on_host, library, of),
                get_speedup(on_device, library, of),
            )
    return not is_wrong


def print_verdicts(results):
    """What was wanted, and what there is."""
    print("\n| wanted | got | |\n|---|---|---|")
    for name, sequences, what, sign, limit in WANTED:
        got = results.get((name, sequences, what))
        if got is None:
            continue
        is_good = got >= limit if sign == ">=" else got < limit
        print(
            f"| {name}, {sequences} sequences: {sign} {limit:g} {what} "
            f"| {got:.3g} | {'yes' if is_good else 'NO'} |"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--device", default="cuda", choices=["cuda", "cpu"])
    parser.add_argument("--sequences", type=read_numbers, default="1,64,512")
    parser.add_argument(
        "--networks", type=read_names(FLOPS), default="tdnnf,lstmp"
    )
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument(
        "--peers", type=read_names(PEERS), default="eager,graph,compile"
    )
    parser.add_argument("folder")
    options = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    # Lets cuDNN choose the fastest convolutions.
    torch.backends.cudnn.benchmark = True
    print(
        "| network | sequences | what | host to host, ms | times as fast as "
        "PyTorch's best | on the device, ms | times as fast | of SGEMM's rate |"
    )
    print("|---|---|---|---|---|---|---|---|")
    results, is_good = {}, True
    try:
        for name in options.networks:
            weights = Weights(f"{options.folder}/{name}.raw")
            add_cold_starts(options.folder, name, options.device, results)
            for sequences in options.sequences:
                case = Case(options.folder, name, sequences, options.device)
                is_good &= compare(case, weights, options, results)
                del case
                gc.collect()
    except (Error, OSError) as error:
        is_good = False
        print(f"\nerror: {error}")
    if options.device == "cuda":
        print_verdicts(results)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
