#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles reference cases to libraries, runs these, and compares the results.

    run_libraries.py --nnet3-compile=build/bin/nnet3-compile DIRECTORY

The forward part of the cases that run_golden.py takes, at the same tolerance;
random components have no numbers to compare. Prints 'N passed, M failed, K
skipped'; exit status 1 if any failed.
"""
import argparse
import concurrent.futures
import os
import re
import sys
import tempfile

import numpy

import kaldi_files
import run_golden
from commands import execute
from compare import Failed

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
RUNNER = """
import sys
sys.path.insert(0, sys.argv[1])
import numpy
from nnet3_library import Library
library = Library(sys.argv[2], "net")
inputs = numpy.load(sys.argv[3])
numpy.savez(sys.argv[4], **library.run("request", inputs))
"""


def check_rms_error(node, actual, expected, largest):
    if actual.shape != expected.shape:
        raise Failed(f"{node}: {actual.shape} instead of {expected.shape}")
    difference = actual.astype(float) - expected
    rms = numpy.sqrt(numpy.mean(expected.astype(float) ** 2))
    error = numpy.sqrt(numpy.mean(difference**2)) / max(rms, 1e-30)
    # Not-a-number is never right.
    if not error <= largest:
        raise Failed(f"{node}: rms error / rms {error:.2g}")


def run_request(options, directory, case, scratch):
    # A process of its own: a crash is a failed case.
    library = os.path.join(scratch, "net")
    arguments = [options.nnet3_compile, "--test-mode=false"]
    arguments += ["--request=" + case["request"], "-o", library]
    execute(arguments + options.compile_option + [case["model"]], directory)
    inputs, outputs = {}, []
    for entry in case["files"]:
        path = os.path.join(directory, entry["file"])
        if entry["kind"] == "input":
            inputs[entry["node"]] = kaldi_files.read_matrix(path)
        elif entry["kind"] == "output":
            outputs.append((entry, kaldi_files.read_matrix(path)))
    given = os.path.join(scratch, "inputs.npz")
    results = os.path.join(scratch, "outputs.npz")
    numpy.savez(given, **inputs)
    examples = os.path.join(ROOT, "examples", "python")
    shared = os.path.join(scratch, "libnet.so")
    execute(
        [sys.executable, "-c", RUNNER, examples, shared, given, results],
        directory,
    )
    actual = numpy.load(results)
    for entry, expected in outputs:
        node = entry["node"]
        if options.rms_error:
            check_rms_error(node, actual[node], expected, options.rms_error)
            continue
        run_golden.compare.compare(
            node,
            actual[node],
            expected,
            run_golden.tolerance_of(case, "output", node),
            entry.get("ignore_columns", ()),
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("directory")
    parser.add_argument("--nnet3-compile", required=True)
    parser.add_argument("--compile-option", action="append", default=[])
    parser.add_argument(
        "--rms-error",
        type=float,
        help="compare rms error / rms with this, for libraries of less than "
        "f32, instead of each element",
    )
    parser.add_argument("--filter", default="", help="regular expression")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    options.nnet3_compile = os.path.abspath(options.nnet3_compile)
    cases = [
        (run_request, directory, case)
        for kind, directory, case in run_golden.find_cases(options.directory)
        if kind is run_golden.run_request
        and re.search(options.filter, case["name"])
    ]
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for outcome, name, detail in pool.map(
            lambda case: run_golden.run_case(options, *case), cases
        ):
            counts[outcome] += 1
            if outcome == "failed":
                print(f"{outcome}: {name}: {detail}")
    print(", ".join(f"{count} {outcome}" for outcome, count in counts.items()))
    return 1 if counts["failed"] or not counts["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
