#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times libraries beside ONNX Runtime, OpenVINO, IREE and XLA, in one run.

    benchmarks/peers/compare.py [--bin=build/bin] [--rounds=N] [--sequences=N...]
                                [--peers=REGEX] [NETWORK...]

Networks are those of benchmarks/networks, for chunks of 150 frames with an output
for every third (xvector: 200 frames, one output). The peers compute them with the
same weights. They get our own exports, and for tdnn, tdnnf and cnn also ONNX models
in the forms that people write (onnx_networks.py); of a peer, the fastest form
counts. First the outputs are compared. Then everything runs in turn, again and
again, with one thread; times are medians of processor times. Last, each is
started in a process of its own: the time from the file to the first output, and
the memory that this takes. Needs the packages of requirements.txt;
scripts/benchmark-peers.sh installs them and runs this.
"""
import argparse
import gc
import importlib.metadata
import os
import pathlib
import pickle
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
for folder in ("benchmarks", "benchmarks/gpu", "examples/python"):
    sys.path.insert(0, str(ROOT / folder))
import models
import onnx_networks
import cpu_peers
from nnet3_weights import Weights

NETWORKS = ["tdnn", "tdnnf", "lstmp", "cnn", "xvector"]
PACKAGES = ["onnxruntime", "openvino", "iree-base-compiler", "jaxlib"]
# Of the largest output, for float32.
TOLERANCE = 1e-4


class Files:
    """The files of one network, for so many sequences."""

    def __init__(self, tools, folder, name, sequences):
        self.tools, self.folder, self.name, self.sequences = tools, folder, name, sequences
        self.model = f"{folder}/{name}.raw"
        if not os.path.exists(self.model):
            with tempfile.TemporaryDirectory() as scratch:
                models.write_model(f"{tools}/nnet3-run", scratch, name, self.model)
        left, right = models.CONTEXTS[name]
        last = 199 if name == "xvector" else 149
        self.rows = {"input": left + last + 1 + right}
        if name != "xvector":
            self.rows["ivector"] = 1
        self.times = {"input": f"{-left}:{last + right}", "ivector": "0", "output": "0"}
        if name != "xvector":
            self.times["output"] = f"0:{last}:3"

    def write_request(self, sequences):
        path = f"{self.folder}/{self.name}.{sequences}.request"
        kinds = [("input", node) for node in self.rows] + [("output", "output")]
        pathlib.Path(path).write_text("".join(
            f"{kind} name={node} n=0:{sequences - 1} t={self.times[node]}\n" for kind, node in kinds))
        return path

    def make_rows(self):
        generator = numpy.random.default_rng(1)
        return {node: generator.standard_normal((self.sequences * self.rows[node], dim), numpy.float32)
                for node, dim in models.get_dims(self.name)}

    def _compile(self, sequences, output, *arguments):
        if not os.path.exists(output):
            models.execute([f"{self.tools}/nnet3-compile", f"--request={self.write_request(sequences)}", *arguments,
                            self.model])
        return output

    def compile_library(self, precision):
        stem = f"{self.name}{self.sequences}{precision}"
        return self._compile(self.sequences, f"{self.folder}/lib{stem}.so", f"--precision={precision}", "-o",
                             f"{self.folder}/{stem}")

    def write_tensors(self, form, sequences):
        path = f"{self.folder}/{self.name}.{sequences}.{form}.mlir"
        if form == "linalg":
            return self._compile(sequences, path, "--emit=linalg", "-o", path)
        return self._translate(form, sequences, path)

    def _translate(self, form, sequences, path):
        network = f"{self.folder}/{self.name}.{sequences}.mlir"
        self._compile(sequences, network, "--emit=network", "-o", network)
        if not os.path.exists(path):
            models.execute([f"{self.tools}/nnet3-translate", f"--mlir-to-{form}", network, "-o", path])
        return path

    def write_onnx(self, form, sequences):
        """Our own export serves any number of sequences."""
        if form == "export":
            return self._translate("onnx", 1, f"{self.folder}/{self.name}.onnx")
        path = f"{self.folder}/{self.name}.{sequences}.{form}.onnx"
        if not os.path.exists(path):
            model = onnx_networks.make_model(self.name, Weights(self.model), form, sequences, self.rows["input"])
            pathlib.Path(path).write_bytes(model.SerializeToString())
        return path


def make_peers(name, sequences):
    forms = ["export"] + onnx_networks.FORMS.get(name, [])
    result = [cpu_peers.Nnet3()]
    for form in forms:
        result += [cpu_peers.OnnxRuntime(form), cpu_peers.OpenVino(form)]
    result.append(cpu_peers.Iree())
    # Takes more than 20 GB to compile the steps of 16 sequences.
    if name != "lstmp" or sequences == 1:
        result.append(cpu_peers.Xla())
    result += [cpu_peers.Nnet3("bf16"), cpu_peers.Nnet3("int8")]
    for form in forms:
        result += [cpu_peers.OpenVino(form, "bf16")] + ([cpu_peers.OnnxRuntimeInt8(form)] if form != "conv" else [])
    return result


class Case:
    """A network for so many sequences, and everything that computes it."""

    def __init__(self, files, wanted):
        self.files, self.rows = files, files.make_rows()
        self.runs, self.paths, self.errors = {}, {}, {}
        self.expected = None
        for peer in make_peers(files.name, files.sequences):
            if re.search(wanted, peer.name):
                self.add(peer)

    def add(self, peer):
        path = peer.prepare(self.files, self.files.sequences)
        run = peer.load(path, self.rows, self.files.sequences)
        output = run()
        if self.expected is None:
            self.expected = output.copy()
        error = numpy.abs(output.reshape(self.expected.shape) - self.expected).max()
        error /= numpy.abs(self.expected).max()
        if not error <= TOLERANCE and not peer.is_reduced:
            sys.exit(f"error: {peer.name}: outputs of {self.files.name} differ by {error:.2g} of the largest")
        self.errors[peer] = error
        self.runs[peer] = run
        self.paths[peer] = path

    def measure(self, rounds):
        """The fastest form of each peer, and its median seconds."""
        times = {peer: [] for peer in self.runs}
        for _ in range(rounds + 1):
            for peer, run in self.runs.items():
                begin = time.process_time()
                run()
                times[peer].append(time.process_time() - begin)
        # The first round warms up.
        medians = {peer: statistics.median(t[1:]) for peer, t in times.items()}
        best = {}
        for peer, seconds in medians.items():
            if peer.name not in best or seconds < medians[best[peer.name]]:
                best[peer.name] = peer
        return {peer: medians[peer] for peer in best.values()}

    def start(self, peer):
        """Seconds to the first output in a new process, and MB of memory."""
        arguments = pickle.dumps((peer, self.paths[peer], self.rows, self.files.sequences))
        result = subprocess.run([sys.executable, "-B", __file__, "--start"], input=arguments, stdout=subprocess.PIPE,
                                check=True)
        seconds, kilobytes = result.stdout.split()[-2:]
        return float(seconds), float(kilobytes) / 1024


def get_memory(field):
    with open("/proc/self/status") as status:
        return int(re.search(rf"{field}:\s+(\d+)", status.read())[1])


def start():
    """What the process of Case.start does."""
    peer, path, rows, sequences = pickle.loads(sys.stdin.buffer.read())
    # Modules that are loaded belong to no model.
    for module in {"ONNX Runtime": ["onnxruntime"], "OpenVINO": ["openvino"], "IREE": ["iree.runtime"],
                   "XLA": ["jax"]}.get(peer.name.split(",")[0], ["nnet3_library"]):
        __import__(module)
    before, begin = get_memory("VmRSS"), time.perf_counter()
    peer.load(path, rows, sequences)()
    print(time.perf_counter() - begin, get_memory("VmHWM") - before)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", default=ROOT / "build/bin")
    parser.add_argument("--rounds", type=int, default=0, help="default: 50 or 10")
    parser.add_argument("--sequences", type=int, nargs="+", default=[1, 16])
    parser.add_argument("--peers", default="", help="regular expression of the names of those to run beside nnet3")
    parser.add_argument("networks", nargs="*", default=NETWORKS)
    options = parser.parse_args()
    for name in options.networks:
        if name not in NETWORKS:
            sys.exit(f"error: expects some of {', '.join(NETWORKS)}, but got '{name}'")
    random.seed(1)
    print(", ".join(f"{package} {importlib.metadata.version(package)}" for package in PACKAGES))
    print("| network | sequences | by | form | ms | times as long as nnet3 | error | start, ms | memory, MB |")
    print("|---|---|---|---|---|---|---|---|---|")
    wanted = f"^nnet3$|{options.peers}" if options.peers else ""
    with tempfile.TemporaryDirectory() as folder:
        for name in options.networks:
            for sequences in options.sequences:
                # Frees what the case before it holds.
                case = None
                gc.collect()
                case = Case(Files(options.bin, folder, name, sequences), wanted)
                times = case.measure(options.rounds or (50 if sequences == 1 else 10))
                baseline = next(iter(times.values()))
                for peer, seconds in times.items():
                    first, memory = case.start(peer)
                    print(f"| {name} | {sequences} | {peer.name} | {peer.form} | {seconds * 1e3:.2f} "
                          f"| {seconds / baseline:.2f} | {case.errors[peer]:.1g} | {first * 1e3:.0f} | {memory:.0f} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:] == ["--start"]:
        start()
    else:
        main()
