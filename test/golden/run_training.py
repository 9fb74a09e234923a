#!/usr/bin/python3
"""Trains reference cases on a device and on the CPU, and compares the models.

    run_training.py --nnet3-run=build/bin/nnet3-run --device-run=PROGRAM DIRECTORY

Of each case of DIRECTORY that has a gradient and whose name matches --filter,
both programs run some training steps: the first one with the interpreter, the
other with --backend=cuda. The changes of each parameter agree if the root mean
square of their difference is at most --tolerance times that of the change.
Natural gradient makes much of rounding: with other kernels of OpenBLAS
(OPENBLAS_CORETYPE=Haswell), the CPU's own models differ by 2e-3 of the change
after three steps, and those of a CNN by 3e-2. After one step most of them
differ by 1e-6, and the device's by 1e-4.
Prints 'N passed, M failed'; exit status 1 if any failed.
"""
import argparse
import glob
import json
import os
import re
import sys
import tempfile

import numpy

import kaldi_files
from commands import execute
from compare import STATISTICS, Failed, rms


def read_numbers(path):
    """What components have of numbers, by component and token."""
    with open(path) as file:
        _, components = kaldi_files.parse_model(file.read())
    numbers = {}
    for component, tokens in components.items():
        for token, words in tokens:
            if words and token not in STATISTICS:
                try:
                    numbers[component, token] = numpy.array(words, float)
                except ValueError:
                    pass  # a flag or a list
    return numbers


def train(options, program, more, directory, case, path):
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
            arguments.append(
                f"{option[entry['kind']]}={entry['node']}={entry['file']}"
            )
    execute(arguments + more + [case["model"]], directory)
    return read_numbers(path)


def check(options, directory, case):
    with tempfile.TemporaryDirectory() as scratch:

        def run(name, program, *more):
            path = os.path.join(scratch, name)
            return train(options, program, list(more), directory, case, path)

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
    changed = 0
    for key, value in expected.items():
        change = rms(value - before[key])
        error = rms(value - actual[key])
        changed += change > 0
        # Not-a-number is never right.
        if not error <= options.tolerance * change + 1e-7 * rms(value) + 1e-9:
            name = ".".join(key)
            raise Failed(f"{name}: rms error {error:.3g}, change {change:.3g}")
    if not changed:
        raise Failed("nothing has changed")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nnet3-run", type=os.path.abspath, required=True)
    parser.add_argument("--device-run", type=os.path.abspath, required=True)
    parser.add_argument(
        "--device-option", action="append", default=[], help="passed on to it"
    )
    parser.add_argument("--filter", default="", help="regular expression")
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--tolerance", type=float, default=1e-2)
    parser.add_argument("directory")
    options = parser.parse_args()
    passed = failed = 0
    pattern = os.path.join(options.directory, "**", "case.json")
    for path in sorted(glob.glob(pattern, recursive=True)):
        directory = os.path.dirname(path)
        name = os.path.relpath(directory, options.directory)
        with open(path) as file:
            case = json.load(file)
        if "gradient" not in case or not re.search(options.filter, name):
            continue
        files = [entry["file"] for entry in case["files"]]
        if not all(os.path.exists(os.path.join(directory, f)) for f in files):
            continue  # this copy of the cases has not all of it
        try:
            check(options, directory, case)
            passed += 1
        except Failed as error:
            print(f"{name}: {error}")
            failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
