#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints how accurate products of less than f32 are, as a table.

    benchmarks/precision-accuracy.py [--nnet3-run=build/bin/nnet3-run] [--backend=native] [NETWORK...]

The networks of benchmarks/networks with parameters of seed 1, whose batch norm
has the statistics of a run in training mode. Features are normally distributed,
and frames resemble the ones before. nnet3-run --compare compares with the
interpreter; the row of f32 shows how much a network makes of rounding.
"""
import argparse
import random
import re
import tempfile

import models

FRAMES = 150
PRECISIONS = {
    "native": ("f32", "bf16", "int16", "int8"),
    "cuda": ("f32", "tf32", "bf16", "fp16"),
}


def write_utterances(scratch, dims):
    """Eight utterances, and their i-vectors."""
    for node, dim in dims:
        with open(f"{scratch}/{node}.ark", "w") as archive:
            for utterance in range(8):
                archive.write(f"{utterance}  [ ")
                if node == "input":
                    archive.write("\n")
                rows = FRAMES if node == "input" else 1
                models.write_rows(archive, rows, dim)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--nnet3-run", default="build/bin/nnet3-run")
    parser.add_argument("--backend", choices=PRECISIONS, default="native")
    parser.add_argument("networks", nargs="*", default=["tdnn", "tdnnf", "lstmp", "blstm"])
    options = parser.parse_args()
    random.seed(1)
    print("| network | precision | rms error / rms | same argmax |")
    print("|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        for name in options.networks:
            model = f"{scratch}/{name}.raw"
            models.write_model(options.nnet3_run, scratch, name, model)
            dims = models.get_dims(name)
            write_utterances(scratch, dims)
            files = [f"--frames-per-chunk={FRAMES}"]
            files.append("--frame-subsampling-factor=3")
            if len(dims) > 1:
                files.append(f"--ivectors=ark:{scratch}/ivector.ark")
            files += [model, f"ark:{scratch}/input.ark", "ark:/dev/null"]
            for precision in PRECISIONS[options.backend]:
                compare = [f"--backend={options.backend}", "--compare"]
                compare.append(f"--precision={precision}")
                text = models.execute([options.nnet3_run] + compare + files)
                error, argmax = re.search(
                    r"rms error / rms ([^,]+), same argmax ([^ ]+)", text
                ).groups()
                print(f"| {name} | {precision} | {error} | {argmax} |")


if __name__ == "__main__":
    main()
