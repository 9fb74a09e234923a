#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what nnet3-compute-prob prints with what the reference printed.

    run_probabilities.py --nnet3-compute-prob=PROGRAM DIRECTORY...

A DIRECTORY has folders prob-*, each with case.json, and what their commands
read. A number is right if its difference is at most `tol`, from the case, times
1 plus its size. Prints 'N passed, M failed'; exit status 1 if any failed.
"""
import argparse
import glob
import json
import os
import re
import subprocess
import sys

_LINE = re.compile(
    r"Overall (log-likelihood|objective|log-probability|accuracy) for '(\S+)' "
    r"is (\S+) (?:\+ (\S+) = (\S+) )?per frame, over (\S+) frames\."
)
_PER_DIM = re.compile(r"Overall per-dim accuracy vector for '(\S+)' is \[(.*)\]")


def parse(log):
    """What the lines say, in the form of the reference's cases."""
    found = {}
    for kind, output, value, auxiliary, total, frames in _LINE.findall(log):
        numbers = {"per_frame": float(value), "frames": float(frames)}
        if auxiliary:
            numbers.update(auxiliary=float(auxiliary), sum=float(total))
        found.setdefault(output, {})[kind] = numbers
    for output, numbers in _PER_DIM.findall(log):
        found[output]["per_dim_accuracy"] = [float(n) for n in numbers.split()]
    return found


def is_near(found, expected, tolerance):
    if isinstance(expected, dict):
        return found.keys() == expected.keys() and all(
            is_near(found[key], expected[key], tolerance) for key in expected
        )
    if isinstance(expected, list):
        return len(found) == len(expected) and all(
            is_near(*pair, tolerance) for pair in zip(found, expected)
        )
    return abs(found - expected) <= tolerance * (1 + abs(expected))


def find_error(program, directory, case):
    command = case["command"].split()
    command[0] = program
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True)
    if done.returncode != case["exit_status"]:
        return done.stderr.strip() or f"status {done.returncode}"
    found = parse(done.stderr)
    if not is_near(found, case["log"], case["log_tol"]["tol"]):
        return f"{found}, not {case['log']}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nnet3-compute-prob", type=os.path.abspath, required=True)
    parser.add_argument("directories", nargs="+", type=os.path.abspath)
    options = parser.parse_args()
    passed = failed = 0
    for directory in options.directories:
        for path in sorted(glob.glob(os.path.join(directory, "prob-*/case.json"))):
            with open(path) as file:
                case = json.load(file)
            error = find_error(options.nnet3_compute_prob, directory, case)
            passed += not error
            failed += bool(error)
            if error:
                print(f"{case['name']}: {error}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
