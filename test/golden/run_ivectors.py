#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Estimates i-vectors with nnet3-ivector as the reference's program did.

    run_ivectors.py --bin=DIRECTORY [--filter=REGEX] DIRECTORY

DIRECTORY has a folder for each case, with case.json and the expected archive;
--bin is where the programs are. Archives must have the same keys in the same
order, the same shapes, and each number within `tol` times 1 plus its size; so
must the numbers of the log, by `log_tol`. The greatest difference of all, in
units of that, is printed. So is 'N passed, M failed'; exit status 1 if any
failed.
"""
import argparse
import glob
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

import numpy

import kaldi_files

NUMBER = r"(-?[\d.]+(?:e[-+]?\d+)?|nan)"
LOG = (
    (rf"for {NUMBER} files, {NUMBER} with errors", ("files", "errors")),
    (rf"per frame was {NUMBER} over {NUMBER} frames", ("improvement", "frames")),
    (rf"length was {NUMBER} and at utterance ends {NUMBER},", ("length", "length_end")),
)


class Failed(Exception):
    pass


def read_archive(options, path, scratch):
    """Matrices by key, in order."""
    text = os.path.join(scratch, "text")
    copy = os.path.join(options.bin, "nnet3-copy")
    subprocess.run(
        [copy, "--print-args=false", "matrix", f"ark:{path}", f"ark,t:{text}"],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    return kaldi_files.read_text_archive(text)


def distance(found, expected):
    return float(numpy.max(numpy.abs(found - expected) / (1 + numpy.abs(expected))))


def compare_archives(found, expected, tolerance):
    if list(found) != list(expected):
        raise Failed(f"keys {list(found)}, not {list(expected)}")
    worst = 0.0
    for key, matrix in expected.items():
        if found[key].shape != matrix.shape:
            raise Failed(f"{key} is {found[key].shape}, not {matrix.shape}")
        difference = distance(found[key], matrix)
        worst = max(worst, difference)
        if not difference <= tolerance:
            raise Failed(f"{key} differs by {difference:.2g}, above {tolerance}")
    return worst


def compare_log(log, expected, tolerance):
    for pattern, names in LOG:
        match = re.search(pattern, log)
        if not match:
            raise Failed(f"the log lacks '{pattern}'")
        for name, word in zip(names, match.groups()):
            if not distance(numpy.float64(word), expected[name]) <= tolerance:
                raise Failed(f"{name} is {word}, not {expected[name]}")


def check(options, directory, case):
    """The greatest difference."""
    command = shlex.split(case["command"])
    with tempfile.TemporaryDirectory() as scratch:
        output = os.path.join(scratch, "output")
        done = subprocess.run(
            [os.path.join(options.bin, command[0])]
            + [argument.replace("OUTPUT1", output) for argument in command[1:]],
            cwd=os.path.join(directory, case["working_directory"]),
            capture_output=True,
            text=True,
        )
        if case["exit_status"] == "not 0":
            if done.returncode != 1 or "error: " not in done.stderr:
                raise Failed(f"status {done.returncode}: {done.stderr}")
            return 0.0
        if done.returncode != 0:
            raise Failed(done.stderr)
        (expected,) = case["outputs"]
        worst = compare_archives(
            read_archive(options, output, scratch),
            read_archive(options, os.path.join(directory, expected["file"]), scratch),
            expected["tol"],
        )
        compare_log(done.stderr, case["log"], case["log_tol"])
        return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--bin", required=True)
    parser.add_argument("--filter", default="")
    parser.add_argument("directory")
    options = parser.parse_args()
    options.bin = os.path.abspath(options.bin)
    passed = failed = 0
    worst = 0.0
    for path in sorted(glob.glob(os.path.join(options.directory, "*/case.json"))):
        with open(path) as file:
            case = json.load(file)
        if not re.search(options.filter, case["name"]):
            continue
        try:
            worst = max(worst, check(options, os.path.dirname(os.path.abspath(path)), case))
            passed += 1
        except Failed as error:
            failed += 1
            print(f"{case['name']}: {error}")
    print(f"greatest difference {worst:.2g}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
