#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts what GPUs are given to do for the networks of this benchmark.

    benchmarks/gpu/count.py [--bin=build/bin] [--details] [--only=TEXT] [FILE]

Prints the table of docs/internals/GPU.md: launches, matmuls and bytes of a chunk of 150
frames with an output for every third, or of both passes of a minibatch of such
chunks in training mode. It counts each element that a launch reads once, and
each that it writes once. GEMVs count as such launches, with their weights
and without their operations; other matmuls count only with the output that they
add to, read and written. Times are those of a GPU that reaches its peaks. With
--details, also the kernels of each row that have most bytes. With --only, only
the rows with that text in their names. With a file, or - for stdin, it counts
the kernels there, as --emit=loops prints them. It needs the tools, but no
GPU.
"""
import argparse
import collections
import functools
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
    "nnet3-move-sizing-commands),convert-nnet3-to-kernels{device=true},kernel-infer-alignment,func.func(kernel-fuse-maps),kernel-split-reductions,kernel-outline,convert-kernel-to-threads)"
)


def compile_forward(options, name, sequences, scratch):
    model = f"{scratch}/{name}.raw"
    if not os.path.exists(model):
        models.write_model(f"{options.bin}/nnet3-run", scratch, name, model)
    command = [
        f"{options.bin}/nnet3-compile",
        "--target=cuda",
        "--emit=loops",
        "--elide-weights",
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
            # The last output is at the third frame from the end.
            times = f"{-left}:{CHUNK - 3 + right}" if node == "input" else "0"
            request.write(f"input name={node} n=0:{last} t={times}\n")
        request.write(
            f"output name=output n=0:{last} t=0:{CHUNK - 3}:3 has-deriv=true\n"
            "need-model-derivative=true\n"
            f"store-component-stats={str(statistics).lower()}\n"
        )
    translate = [f"{options.bin}/nnet3-translate", "--config-to-mlir"]
    network = execute(translate + [f"--request={path}", models.get_config(name)])
    return execute([f"{options.bin}/nnet3-opt", f"--pass-pipeline={TRAINING}"], network)


def execute(command, given=None):
    result = subprocess.run(command, input=given, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(result.stderr)
    return result.stdout


def show(number, digits=2):
    """A number without an exponent if it is large."""
    return f"{number:.0f}" if number >= 10**digits else f"{number:.{digits}g}"


def print_row(name, sequences, calls):
    matmuls = [k for k in calls if k.flops]
    rows = sum(k.multiplies_row for k in calls)
    flops = sum(k.flops for k in calls)
    moved = sum(k.get_bytes() for k in calls)
    print(
        f"| {name} | {sequences} | {len(calls)} | {len(matmuls)}"
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
    (
        "tdnnf",
        ", both passes with statistics",
        64,
        functools.partial(compile_training, statistics=True),
    ),
]
HEADER = (
    "| network | sequences | launches | matmuls | other launches: bytes "
    "| time of matmuls, ms | time of the rest, ms |\n|---|---|---|---|---|---|---|"
)


def read_launches(text, where):
    """The launches of each function."""
    program = kernels.Program(text)
    if not program.kernels or not program.calls:
        raise ValueError(f"{where} has no kernels, or nothing that calls them")
    return {name: program.get_launches(name) for name in program.calls}


def get_rows(options):
    """Of each row the name, how many sequences it is for, and launches."""
    if options.file:
        with sys.stdin if options.file == "-" else open(options.file) as file:
            for name, calls in read_launches(file.read(), options.file).items():
                yield name, "", calls
        return
    rows = [row for row in ROWS if options.only in f"{row[0]}{row[1]} {row[2]}"]
    if not rows:
        raise ValueError(f"no row has '{options.only}' in its name")
    with tempfile.TemporaryDirectory() as scratch:
        for name, what, sequences, compile_row in rows:
            text = compile_row(options, name, sequences, scratch)
            for calls in read_launches(text, name).values():
                yield name + what, sequences, calls


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", default="build/bin")
    parser.add_argument("--details", action="store_true")
    parser.add_argument("--only", default="", help="part of the name of a row")
    parser.add_argument("file", nargs="?")
    options = parser.parse_args()
    random.seed(1)
    for number, (name, sequences, calls) in enumerate(get_rows(options)):
        if number == 0:
            print(HEADER)
        print_row(name, sequences, calls)
        if options.details:
            print_details(calls)


if __name__ == "__main__":
    try:
        main()
    except (OSError, ValueError) as error:
        sys.exit(f"error: {error}")
