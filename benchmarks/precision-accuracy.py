#!/usr/bin/python3
"""Prints how accurate bf16 and int8 are, as a table.

    benchmarks/precision-accuracy.py [--nnet3-run=build/bin/nnet3-run] [NETWORK...]

The networks of benchmarks/networks with parameters of seed 1, whose batch norm
has the statistics of a run in training mode. Features are normally distributed,
and frames resemble the ones before. nnet3-run --compare compares with the
interpreter; the row of f32 shows how much a network makes of rounding.
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
FRAMES = 150
DIRECTORY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "networks")


def write_rows(file, rows, columns):
    values = [0.0] * columns
    for row in range(rows):
        values = [0.8 * x + random.gauss(0, 0.6) for x in values]
        file.write(" ".join(f"{x:.5f}" for x in values))
        file.write(" ]\n" if row == rows - 1 else "\n")


def execute(options, arguments):
    command = [options.nnet3_run, "--init-seed=1"] + arguments
    result = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    if result.returncode != 0:
        sys.exit(result.stderr)
    return result.stderr


def collect_statistics(options, scratch, name, dims, model):
    """Writes `model` with the statistics of 32 chunks of 30 frames."""
    left, right = NETWORKS[name]
    arguments = []
    with open(f"{scratch}/request", "w") as request:
        for node, dim in dims:
            begin, end = (-left, 30 + right) if node == "input" else (0, 1)
            request.write(f"input name={node} n=0:31 t={begin}:{end - 1}\n")
            with open(f"{scratch}/{node}", "w") as matrix:
                matrix.write(" [\n")
                write_rows(matrix, 32 * (end - begin), dim)
            arguments.append(f"--input={node}={scratch}/{node}")
        request.write("output name=output n=0:31 t=0:27:3\n")
        request.write("store-component-stats=true\n")
    arguments += [f"--request={scratch}/request", f"--model-stats={model}"]
    execute(options, arguments + [f"{DIRECTORY}/{name}.config"])


def write_utterances(scratch, dims):
    """Eight utterances, and their i-vectors."""
    for node, dim in dims:
        with open(f"{scratch}/{node}.ark", "w") as archive:
            for utterance in range(8):
                archive.write(f"{utterance}  [ ")
                if node == "input":
                    archive.write("\n")
                write_rows(archive, FRAMES if node == "input" else 1, dim)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--nnet3-run", default="build/bin/nnet3-run")
    parser.add_argument("networks", nargs="*", default=list(NETWORKS))
    options = parser.parse_args()
    random.seed(1)
    print("| network | precision | rms error / rms | same argmax |")
    print("|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        for name in options.networks:
            with open(f"{DIRECTORY}/{name}.config") as config:
                nodes = re.findall(
                    r"(?m)^input-node name=(\w+) dim=(\d+)", config.read()
                )
            dims = [(node, int(dim)) for node, dim in nodes]
            model = f"{scratch}/{name}.raw"
            collect_statistics(options, scratch, name, dims, model)
            write_utterances(scratch, dims)
            files = [f"--frames-per-chunk={FRAMES}"]
            files.append("--frame-subsampling-factor=3")
            if len(dims) > 1:
                files.append(f"--ivectors=ark:{scratch}/ivector.ark")
            files += [model, f"ark:{scratch}/input.ark", "ark:/dev/null"]
            for precision in ("f32", "bf16", "int8"):
                compare = ["--backend=native", f"--precision={precision}"]
                text = execute(options, compare + ["--compare"] + files)
                error, argmax = re.search(
                    r"rms error / rms ([^,]+), same argmax ([^ ]+)", text
                ).groups()
                print(f"| {name} | {precision} | {error} | {argmax} |")


if __name__ == "__main__":
    main()
