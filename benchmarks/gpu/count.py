#!/usr/bin/python3
"""Counts what GPUs are given to do for the networks of this benchmark.

    benchmarks/gpu/count.py [--bin=build/bin] [--details] [FILE]

Prints the table of docs/GPU.md: launches and products of a chunk of 150 frames
with an output for every third, or of both passes of a minibatch of such chunks
in training mode, and the bytes that the other kernels read and write, with what
products add to. Times are
those of a GPU that reaches its peaks. With --details, also the kernels of each
row that have most bytes. With a file, or - for stdin, it counts the kernels
there, as --emit=kernels prints them. It needs the tools, but no GPU.
"""
import argparse
import collections
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import kernels
import models

FLOPS, BANDWIDTH = 67e12, 4.8e12  # of an H200, each second
CHUNK = 150
# What nnet3-run --backend=cuda does to requests with a backward pass
# (lib/Pipelines/DeviceCode.cpp).
TRAINING = (
    "builtin.module(nnet3-compile,nnet3-optimize{allocate-from-other=false "
    "extend-matrices=false},"
    "nnet3.computation(nnet3-number-draws,nnet3-expand-composites{device=true},"
    "nnet3-fuse-affine,nnet3-fuse-epilogue,nnet3-remove-unnecessary-zeroing,"
    "nnet3-move-sizing-commands),convert-nnet3-to-kernels{device=true})"
)


def compile_forward(options, name, sequences, scratch):
    model = f"{scratch}/{name}.raw"
    if not os.path.exists(model):
        models.write_model(f"{options.bin}/nnet3-run", scratch, name, model)
    command = [
        f"{options.bin}/nnet3-compile",
        "--target=cuda",
        "--emit=kernels",
        f"--chunk={CHUNK}",
        "--frame-subsampling-factor=3",
        f"--extra-left-context={models.EXTRA_LEFT[name]}",
        f"--sequences={sequences}",
        model,
    ]
    return execute(command)


def compile_training(options, name, sequences, scratch, statistics=False):
    """Both passes, with derivatives of all parameters."""
    left, right = models.CONTEXTS[name]
    last = sequences - 1
    path = f"{scratch}/training.request"
    with open(path, "w") as request:
        for node, _ in models.get_dims(name):
            begin, end = (-left, CHUNK + right) if node == "input" else (0, 1)
            request.write(f"input name={node} n=0:{last} t={begin}:{end - 1}\n")
        request.write(
            f"output name=output n=0:{last} t=0:{CHUNK - 3}:3 has-deriv=true\n"
            "need-model-derivative=true\n"
            f"store-component-stats={str(statistics).lower()}\n"
        )
    translate = [f"{options.bin}/nnet3-translate", "--config-to-mlir"]
    network = execute(translate + [f"--request={path}", models.get_config(name)])
    return execute([f"{options.bin}/nnet3-opt", f"--pass-pipeline={TRAINING}"], network)


def compile_step(options, name, sequences, scratch):
    return compile_training(options, name, sequences, scratch, statistics=True)


def execute(command, given=None):
    result = subprocess.run(command, input=given, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(result.stderr)
    return result.stdout


def print_rows(options, name, sequences, text):
    """A row for each function."""
    program = kernels.Program(text)
    for function in program.calls:
        calls = program.get_launches(function)
        print_row(name or function, sequences, calls)
        if options.details:
            print_details(calls)


def show(number, digits=2):
    """A number without an exponent if it is large."""
    return f"{number:.0f}" if number >= 10**digits else f"{number:.{digits}g}"


def print_row(name, sequences, calls):
    products = [k for k in calls if k.flops]
    rows = sum(k.multiplies_row for k in calls)
    flops = sum(k.flops for k in calls)
    moved = sum(k.get_bytes() for k in calls)
    print(
        f"| {name} | {sequences} | {len(calls)} | {len(products)}"
        + (f", and {rows} of one row" if rows else "")
        + f", {show(flops / 1e9, 3)} GFLOP | {show(moved / 1e9)} GB "
        f"| {flops / FLOPS * 1e3:.2g} | {moved / BANDWIDTH * 1e3:.2g} |"
    )


def print_details(calls):
    by_name = collections.Counter(k.name for k in calls)
    called = {k.name: k for k in calls}
    order = sorted(by_name, key=lambda n: -by_name[n] * called[n].get_bytes())
    for name in order[:20]:
        kernel = called[name]
        if not kernel.get_bytes():
            continue
        print(
            f"  {by_name[name]} x {name}: {kernel.get_bytes() / 1e6:.4g} MB, "
            f"together {by_name[name] * kernel.get_bytes() / 1e6:.4g} MB"
        )
    kinds, moved = collections.Counter(), collections.Counter()
    for kernel in calls:
        kinds[kernel.kind] += 1
        moved[kernel.kind] += kernel.get_bytes()
    print(
        "  "
        + ", ".join(
            f"{count} {kind} ({moved[kind] / 1e6:.4g} MB)"
            for kind, count in kinds.items()
        )
    )


ROWS = [
    (name, "", sequences, compile_forward)
    for name, counts in (("tdnnf", (1, 64, 512)), ("lstmp", (1, 64)))
    for sequences in counts
] + [
    ("tdnnf", ", both passes in training mode", 64, compile_training),
    ("tdnnf", ", with statistics", 64, compile_step),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", default="build/bin")
    parser.add_argument("--details", action="store_true")
    parser.add_argument("--only", default="", help="part of the name of a row")
    parser.add_argument("file", nargs="?")
    options = parser.parse_args()
    random.seed(1)
    print(
        "| network | sequences | launches | products | beside them: bytes "
        "| time of products, ms | time of the rest, ms |\n|---|---|---|---|---|---|---|"
    )
    if options.file:
        with sys.stdin if options.file == "-" else open(options.file) as file:
            return print_rows(options, "", "", file.read())
    with tempfile.TemporaryDirectory() as scratch:
        for name, what, sequences, compile_row in ROWS:
            if options.only not in f"{name}{what} {sequences}":
                continue
            text = compile_row(options, name, sequences, scratch)
            print_rows(options, name + what, sequences, text)


if __name__ == "__main__":
    main()
