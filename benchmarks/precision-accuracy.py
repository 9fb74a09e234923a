#!/usr/bin/python3
"""Prints how accurate libraries of bf16 and int8 are, as a table.

    benchmarks/precision-accuracy.py [--nnet3-run=build/bin/nnet3-run]

The networks of benchmarks/networks with parameters of seed 1, whose batch norm
has the statistics of a run in training mode; features are normally distributed,
and frames resemble the ones before. nnet3-run --compare compares with the
interpreter.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

NETWORKS = {  # frames on the left and on the right of a chunk
    "tdnn": (16, 10),
    "tdnnf": (41, 41),
    "lstmp": (42, 2),
    "blstm": (42, 42),
}
DIRECTORY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "networks")


def write_matrix(path, rows, columns):
    values = [0.0] * columns
    with open(path, "w") as file:
        file.write(" [\n")
        for _ in range(rows):
            values = [0.8 * x + random.gauss(0, 0.6) for x in values]
            file.write(" ".join(f"{x:.5f}" for x in values) + "\n")
        file.write("]\n")


def run(options, scratch, name, model, frames, sequences, arguments):
    """nnet3-run's messages for a chunk of random features."""
    random.seed(frames)
    left, right = NETWORKS[name]
    with open(os.path.join(DIRECTORY, name + ".config")) as config:
        dims = re.findall(r"(?m)^input-node name=(\w+) dim=(\d+)", config.read())
    request = os.path.join(scratch, "request")
    with open(request, "w") as file:
        n = f"n=0:{sequences - 1}"
        for node, dim in dims:
            begin, end = (-left, frames + right) if node == "input" else (0, 1)
            file.write(f"input name={node} {n} t={begin}:{end - 1}\n")
            matrix = os.path.join(scratch, node)
            write_matrix(matrix, sequences * (end - begin), int(dim))
            arguments = arguments + [f"--input={node}={matrix}"]
        file.write(f"output name=output {n} t=0:{frames - 3}:3\n")
        file.write("store-component-stats=true\n")
    command = [options.nnet3_run, "--init-seed=1", f"--request={request}"]
    result = subprocess.run(
        command + arguments + [model], stderr=subprocess.PIPE, text=True
    )
    if result.returncode != 0:
        sys.exit(result.stderr)
    return result.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--nnet3-run", default="build/bin/nnet3-run")
    options = parser.parse_args()
    print("| network | precision | rms error / rms | same argmax |")
    print("|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        for name in NETWORKS:
            model = os.path.join(scratch, name + ".raw")
            config = os.path.join(DIRECTORY, name + ".config")
            keep = [f"--model-stats={model}"]
            run(options, scratch, name, config, 30, 16, keep)
            for precision in ("f32", "bf16", "int8"):
                compare = ["--backend=native", f"--precision={precision}"]
                compare.append("--compare")
                text = run(options, scratch, name, model, 150, 8, compare)
                error, argmax = re.search(
                    r"rms error / rms ([^,]+), same argmax ([^ ]+)", text
                ).groups()
                print(f"| {name} | {precision} | {error} | {argmax} |")


if __name__ == "__main__":
    main()
