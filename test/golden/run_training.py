#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains reference cases on a device and on the CPU, and compares the models.

    run_training.py --nnet3-run=build/bin/nnet3-run --device-run=PROGRAM DIRECTORY

Of each case of DIRECTORY that has a gradient and whose name matches --filter,
both programs run some training steps: the first one with the interpreter, the
other with --backend=cuda. The changes of each parameter and of each statistic
agree if the root mean square of their difference is at most --tolerance times
that of the change, and ten times what rounding makes of it: the largest difference between the CPU's
model and what it trains from inputs and supervision that are up to two units of
their last place off.
Most models differ by 1e-6 then, but some by 5e-3 after one step. Where the
first rows that natural gradient sees have fewer dimensions than its estimate
has directions, the others are made of rounding errors. They have the floor of
the eigenvalues, 5e-4 of the largest one (components.md 4.3), which takes some
1e-3 off the rows along each of them, from the second call on and in that of the
first that prepares it. Both attentions of recipes/tdnn-attention are like that:
the device is 5e-3 of the change off, other kernels of OpenBLAS on the CPU
(OPENBLAS_CORETYPE) 4e-3 to 6e-3, perturbed inputs 2e-3 to 9e-3; its other
parameters have 1e-6 in all of them.
Prints 'N passed, M failed'; exit status 1 if any failed.
"""
import argparse
import glob
import json
import os
import re
import sys
import tempfile
from functools import partial

import numpy

import kaldi_files
from commands import execute, run_cases
from compare import STATISTICS, Failed, rms


def read_numbers(path):
    """What components have of numbers, by component and token."""
    with open(path) as file:
        _, components = kaldi_files.parse_model(file.read())
    numbers = {}
    for component, tokens in components.items():
        for token, words in tokens:
            if words:
                try:
                    numbers[component, token] = numpy.array(words, float)
                except ValueError:
                    pass  # a flag or a list
    return numbers


def perturb(path, seed, perturbed):
    """Writes a matrix of floats up to two units of their last place off."""
    values = kaldi_files.read_matrix(path)
    random = numpy.random.default_rng(seed)
    units = random.integers(-2, 3, values.shape) * 2.0**-24
    values = (values * (1 + units)).astype(numpy.float32)
    rows = [" ".join(f"{value:.9g}" for value in row) for row in values]
    with open(perturbed, "w") as file:
        file.write(" [\n" + "\n".join(rows) + " ]\n")


def train(program, more, directory, case, path, seed):
    """The model after training; with a seed, from perturbed matrices."""
    arguments = [
        program,
        "--print-args=false",
        "--binary=false",
        "--request=" + case["request"],
        "--trained-model=" + path,
    ]
    for entry in case["files"]:
        option = {"input": "--input", "outderiv": "--output-deriv"}
        if entry["kind"] in option:
            matrix = entry["file"]
            if seed is not None:
                matrix = f"{path}-{entry['kind']}-{entry['node']}"
                perturb(os.path.join(directory, entry["file"]), seed, matrix)
            arguments.append(
                f"{option[entry['kind']]}={entry['node']}={matrix}"
            )
    execute(arguments + more + [case["model"]], directory)
    return read_numbers(path)


def check(options, directory, case):
    with tempfile.TemporaryDirectory() as scratch:

        def run(name, program, *more, seed=None):
            path = os.path.join(scratch, name)
            return train(program, list(more), directory, case, path, seed)

        steps = f"--training-steps={options.steps}"
        before = run("before", options.nnet3_run, "--training-steps=0")
        expected = run("cpu", options.nnet3_run, steps)
        actual = run(
            "device",
            options.device_run,
            "--backend=cuda",
            steps,
            *options.device_option,
        )
        others = [
            run(f"cpu{seed}", options.nnet3_run, steps, seed=seed)
            for seed in range(3)
        ]
    changed = 0
    for key, value in expected.items():
        if key not in before:  # a statistic that there was none of
            before[key] = numpy.zeros_like(value)
        change = rms(value - before[key])
        error = rms(value - actual[key])
        changed += change > 0 and key[1] not in STATISTICS
        rounding = max(rms(value - other[key]) for other in others)
        bound = options.tolerance * change + min(10 * rounding, 0.1 * change)
        # Not-a-number is never right.
        if not error <= bound + 1e-7 * rms(value) + 1e-9:
            name = ".".join(key)
            raise Failed(
                f"{name}: rms error {error:.3g}, change {change:.3g}, "
                f"of rounding {rounding:.3g}"
            )
    if not changed:
        raise Failed("nothing has changed")


def find_cases(options):
    """The name, the folder and the text of each case that is to be checked."""
    pattern = os.path.join(options.directory, "**", "case.json")
    for path in sorted(glob.glob(pattern, recursive=True)):
        directory = os.path.dirname(path)
        name = os.path.relpath(directory, options.directory)
        with open(path) as file:
            case = json.load(file)
        if "gradient" not in case or not re.search(options.filter, name):
            continue
        files = [entry["file"] for entry in case["files"]]
        if all(os.path.exists(os.path.join(directory, f)) for f in files):
            yield name, directory, case  # this copy of the cases has all of it


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nnet3-run", type=os.path.abspath, required=True)
    parser.add_argument("--device-run", type=os.path.abspath, required=True)
    parser.add_argument(
        "--device-option", action="append", default=[], help="passed on to it"
    )
    parser.add_argument("--filter", default="", help="regular expression")
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--tolerance", type=float, default=3e-4)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("directory")
    options = parser.parse_args()
    return run_cases(partial(check, options), find_cases(options), options.jobs)


if __name__ == "__main__":
    sys.exit(main())
