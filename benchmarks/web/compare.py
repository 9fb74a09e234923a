#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times libraries in WebAssembly beside native ones, in one run.

    benchmarks/web/compare.py [--bin=build/bin] [--rounds=N]

Two tables: a chunk of the TDNN-F of benchmarks/networks in Node and Chromium, and
natively with vectors of 128 bits; and how long a library of 14 MB takes from the
first request to the first output of 30 frames, with the sizes of its files. All libraries run
in turn with one thread, again and again; times are the shortest, as other programs
may run beside. The native library with fused multiply-add of 128 bits is made from
the kernels of one without, as no CPU of x86-64 has that alone.
"""
import argparse
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "benchmarks/web"
for folder in ("benchmarks", "examples/python", "test/golden"):
    sys.path.insert(0, str(ROOT / folder))
import models
from browser import Browser, Server
from nnet3_library import Library

CHUNK = ["--chunk=150", "--frame-subsampling-factor=3"]
# For start-up: as live speech comes.
SHORT_CHUNK = ["--chunk=30", "--frame-subsampling-factor=3"]
WASM = ["--target=wasm32"]
RELAXED = WASM + ["--target-features=+relaxed-simd"]
RUNS = 4  # of a library in a round
# The network for start-up, whose weights have 14 MB.
SMALL = {"1536": "640", "160": "72", "256": "128", "3000": "1200"}


class Native:
    """A library of this machine."""

    def __init__(self, path):
        self.instance = Library(f"{path}/libnet.so", "net").instance("chunk150")
        self.rows = {
            m.name: numpy.sin(numpy.arange(m.rows * m.cols, dtype="f4"))
            .reshape(m.rows, m.cols)
            for m in self.instance.inputs
        }

    def measure(self):
        best = math.inf
        for _ in range(RUNS):
            begin = time.perf_counter()
            self.instance.run(self.rows)
            best = min(best, time.perf_counter() - begin)
        return best * 1e3


class Node:
    """measure.mjs in a process of Node."""

    def __init__(self, folder):
        self.folder = folder
        flag = "--experimental-wasm-relaxed-simd"
        options = subprocess.run(
            ["node", "--v8-options"], capture_output=True, text=True, check=True
        ).stdout
        flags = [flag] if flag in options else []
        self.process = subprocess.Popen(
            ["node", *flags, HERE / "measure.mjs"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def call(self, function, name, *values):
        address = f"file://{self.folder}/{name}/net.mjs"
        text = json.dumps([function, address, *values])
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Page:
    """measure.mjs in a page of Chromium."""

    def __init__(self, folder):
        self.server = Server({"": str(HERE), "libraries": folder})
        self.server.__enter__()
        self.browser = Browser()
        self.browser.__enter__()
        self.browser.open(self.server.address + "measure.html")

    def call(self, function, name, *values):
        address = f"{self.server.address}libraries/{name}/net.mjs"
        arguments = ", ".join(map(json.dumps, (address, *values)))
        return self.browser.evaluate(f"await {function}({arguments})")

    def close(self):
        self.browser.__exit__()
        self.server.__exit__()


class Tools:
    def __init__(self, folder, bin):
        self.folder, self.bin = folder, bin

    def run(self, tool, *arguments, text=None):
        return subprocess.run(
            [f"{self.bin}/{tool}", *arguments],
            input=text,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout

    def compile(self, name, model, options):
        folder = os.path.join(self.folder, name)
        os.mkdir(folder)
        self.run(
            "nnet3-compile", *options, "--prefix=net", "-o", folder + "/net", model
        )
        return folder

    def compile_fused(self, name, model):
        """Native code for 128 bits with fused multiply-add."""
        kernels = os.path.join(self.folder, name + ".mlir")
        target = ["--target-cpu=x86-64-v2"]
        self.run("nnet3-compile", *CHUNK, *target, "--emit=kernels", "-o", kernels, model)
        path = pathlib.Path(kernels)
        text = path.read_text()
        path.write_text(re.sub(r"fma = false", "fma = true", text))
        return self.compile(name, kernels, ["--target-cpu=x86-64-v3"])

    def count_flops(self, model):
        commands = os.path.join(self.folder, "commands.mlir")
        report = os.path.join(self.folder, "report.html")
        options = [*CHUNK, "--emit=optimized", "--elide-weights"]
        self.run("nnet3-compile", *options, "-o", commands, model)
        self.run("nnet3-opt", f"--nnet3-report={report}", "-o", os.devnull, commands)
        counts = re.findall(r'"multiplyAdds":\s*(\d+)', pathlib.Path(report).read_text())
        # A multiply-add is two operations, and the report shows the commands
        # twice: before and after the passes, of which there are none.
        return sum(map(int, counts))


def time_runs(tools, model, rounds):
    flops = tools.count_flops(model)
    tools.compile("strict", model, CHUNK + WASM)
    tools.compile("relaxed", model, CHUNK + RELAXED)
    native = {
        "native, 128 bits": Native(tools.compile_fused("fused", model)),
        "native, 128 bits, multiply, then add": Native(
            tools.compile("sse", model, CHUNK + ["--target-cpu=x86-64-v2"])
        ),
        "native, 256 bits (AVX2)": Native(
            tools.compile("avx2", model, CHUNK + ["--target-cpu=x86-64-v3"])
        ),
    }
    node, page = Node(tools.folder), Page(tools.folder)
    runs = {name: library.measure for name, library in native.items()}
    for host, name in ((page, "Chromium"), (node, "Node")):
        for kind in ("relaxed", "strict"):
            runs[f"{name}, {kind} SIMD"] = (
                lambda host=host, kind=kind: host.call("measure", kind, RUNS)
            )
    times = {name: math.inf for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            times[name] = min(times[name], run())
    node.close()
    page.close()
    print("| by | ms | GFLOP/s | of native 128 bits |\n|---|---|---|---|")
    first = next(iter(times.values()))
    for name, ms in times.items():
        print(f"| {name} | {ms:.1f} | {flops / ms * 1e-6:.1f} | {first / ms:.2f} |")


def start_anew(host_class, folder, name, starts):
    """The shortest times, each in a host that has seen nothing of the library."""
    best = None
    for _ in range(starts):
        host = host_class(folder)
        times = host.call("startUp", name)
        host.close()
        best = [min(pair) for pair in zip(best or times, times)]
    return best


def time_start(tools, model, precisions, starts):
    print(
        "\n| precision | Chromium: loaded, ms | first output, ms | Node: processor "
        "time, ms | .wasm, MB | weights, MB |\n|---|---|---|---|---|---|"
    )
    for precision in precisions:
        name = f"small-{precision}"
        options = SHORT_CHUNK + RELAXED + [f"--precision={precision}"]
        folder = tools.compile(name, model, options)
        loaded, first = start_anew(Page, tools.folder, name, starts)
        processor = start_anew(Node, tools.folder, name, starts)[-1]
        wasm, weights = (
            os.path.getsize(f"{folder}/net.{kind}") * 1e-6
            for kind in ("wasm", "weights")
        )
        print(
            f"| {precision} | {loaded:.0f} | {first:.0f} | {processor:.0f} "
            f"| {wasm:.2f} | {weights:.2f} |"
        )


def write_small_config(path):
    text = models_text = pathlib.Path(models.get_config("tdnnf")).read_text()
    for old, new in SMALL.items():
        text = re.sub(rf"\b{old}\b", new, text)
    assert text != models_text
    path.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", default=str(ROOT / "build/bin"))
    parser.add_argument(
        "--rounds", type=int, default=10, help="of runs; 0 for no such table"
    )
    parser.add_argument("--starts", type=int, default=7)
    parser.add_argument(
        "--precision", nargs="+", default=["f32", "bf16", "int8"]
    )
    options = parser.parse_args()
    random.seed(1)
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(folder, options.bin)
        if options.rounds > 0:
            model = os.path.join(folder, "tdnnf.raw")
            models.write_model(f"{options.bin}/nnet3-run", folder, "tdnnf", model)
            time_runs(tools, model, options.rounds)
        config = pathlib.Path(folder, "small.config")
        write_small_config(config)
        time_start(tools, str(config), options.precision, options.starts)


if __name__ == "__main__":
    main()
