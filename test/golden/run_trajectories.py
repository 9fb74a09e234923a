#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains with nnet3-train as the reference did, and compares the models and logs.

    run_trajectories.py --nnet3-train=PROGRAM --nnet3-copy=PROGRAM DIRECTORY

DIRECTORY has `egs`, and a folder for each case with its initial model, the
models after some minibatches, and case.json. A parameter is right if the root
mean square of its difference, by that of its change, is at most what single
precision makes of it in the reference (`tol` of the case), or 1e-3 after one
minibatch, 5e-3 after up to five, 2e-2 later; a statistic if its difference is
at most 1e-3 of its size. Prints 'N passed, M failed'; exit status 1 if any
failed.
"""
import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
from functools import partial

import numpy

import kaldi_files
from commands import run_cases
from compare import Failed, rms


def execute(arguments, directory):
    """The log of a program."""
    done = subprocess.run(
        arguments, cwd=directory, capture_output=True, text=True
    )
    if done.returncode != 0:
        raise Failed(done.stderr.strip() or f"status {done.returncode}")
    return done.stderr


def read_numbers(options, path, scratch):
    """What components have of numbers, by component and token."""
    text = os.path.join(scratch, "text")
    execute([options.nnet3_copy, "--binary=false", "model", path, text], ".")
    with open(text) as file:
        _, components = kaldi_files.parse_model(file.read())
    numbers = {}
    for component, tokens in components.items():
        for token, words in tokens:
            try:
                numbers[component, token] = numpy.array(words, float)
            except ValueError:
                pass  # a flag or a list
    return numbers


def check_objectives(run, log):
    """Averages of the whole run and of its phases, printed with six digits."""
    pattern = (
        r"average objective function for '(\S+)' (?:for minibatches "
        r"(\d+)-(\d+) )?is (\S+) (?:\+ \S+ = (\S+) )?over (\S+) frames"
    )
    # The reference's order of outputs is that of a hash table.
    found = sorted(re.findall(pattern, log, re.I), key=lambda line: line[:3])
    wanted = [
        (phase["output"], str(phase["first"]), str(phase["last"]), phase)
        for phase in run["log"]["phases"]
    ] + [
        (output, "", "", value)
        for output, value in run["log"]["objective"].items()
    ]
    wanted.sort(key=lambda line: line[:3])
    if [line[:3] for line in found] != [line[:3] for line in wanted]:
        raise Failed(f"lines about {[line[:3] for line in found]}")
    for (*line, value, total, frames), (*_, expected) in zip(found, wanted):
        bound = max(
            5 * run["objective_drift"], 2e-4 * (1 + abs(expected["per_frame"]))
        )
        if not abs(float(value) - expected["per_frame"]) <= bound:
            raise Failed(f"objective {line} {value}, not {expected}")
        if not abs(float(total or value) - expected.get("sum", float(value))) <= bound:
            raise Failed(f"objective {line} of {total} in all, not {expected}")
        if abs(float(frames) - expected["frames"]) > 1e-5 * expected["frames"]:
            raise Failed(f"{line} over {frames} frames, not {expected}")
    found = re.findall(r"log-prob-per-frame=(\S+)", log)
    if len(found) != len(run["log"]["log_prob_per_frame"]):
        raise Failed(f"log-prob-per-frame of {found}")


def check_max_change(run, log):
    pattern = (
        r"(?:For (\S+), per-component|The global) max-change was enforced "
        r"(\S+) %"
    )
    found = {
        name or "(global)": float(percent)
        for name, percent in re.findall(pattern, log)
    }
    if found != run["log"]["max_change"]["summary"]:
        raise Failed(f"limits of the change {found}")


def check_model(run, before, expected, actual, ignored):
    """Every tensor that the reference compares, and flags and counts."""
    minibatches = run["minibatches"]
    least = 1e-3 if minibatches == 1 else 5e-3 if minibatches <= 5 else 2e-2
    changes = {}
    for key, value in expected.items():
        name = ".".join(key)
        if "change" in run["tol"].get(name, {}):
            changes[name] = rms(value - before[key])
    typical = rms(list(changes.values())) if changes else 0
    for key, value in expected.items():
        name = ".".join(key)
        if key[1] in ignored or not value.size:
            continue
        if key not in actual or actual[key].shape != value.shape:
            raise Failed(f"{name} is missing, or has another shape")
        error = rms(value - actual[key])
        tolerance = run["tol"].get(name, {})
        if "change" in tolerance:
            bound = max(tolerance["change"], least)
            bound *= max(changes[name], 1e-3 * typical)
        else:
            size = rms(value)
            if key[1] == "StatsMean":
                deviation = expected[key[0], "StatsVar"]
                size = max(size, rms(numpy.sqrt(abs(deviation))))
            bound = max(tolerance.get("value", 0), 1e-3) * size
        if not error <= bound:
            raise Failed(f"{name}: rms error {error:.3g}, bound {bound:.3g}")


def find_model(run):
    """The first of the arguments that are no options."""
    return [word for word in run["command"].split()[1:] if word[0] != "-"][0]


def check(options, directory, case, run):
    command = run["command"].split()
    with tempfile.TemporaryDirectory() as scratch:
        trained = os.path.join(scratch, "trained")
        command[0] = options.nnet3_train
        command[-1] = trained
        command[1:1] = [
            "--print-args=false",
            "--random-draws=" + case["random_draws"],
            "--backend=" + options.backend,
        ]
        if options.backend == "native":
            command[1:1] = ["--native-after=0"]
        log = execute(command, options.directory)
        check_objectives(run, log)
        check_max_change(run, log)
        paths = (
            os.path.join(options.directory, find_model(run)),
            os.path.join(directory, run["output"]),
            trained,
        )
        before, expected, actual = (
            read_numbers(options, path, scratch) for path in paths
        )
        # Statistics that the reference stores at random are those of
        # elementwise nonlinearities.
        ignored = case["ignore_tokens"]
        check_model(run, before, expected, actual, ignored)


def find_runs(options):
    """Name, folder, case and run of each that is to be checked."""
    for path in sorted(glob.glob(os.path.join(options.directory, "*/case.json"))):
        directory = os.path.dirname(path)
        with open(path) as file:
            case = json.load(file)
        for run in case.get("runs", []):
            name = f"{case['name']}/{run['minibatches']}"
            model = os.path.join(directory, run["output"])
            # This copy of the cases may have some of the runs.
            if re.search(options.filter, name) and os.path.exists(model):
                yield name, directory, case, run


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nnet3-train", type=os.path.abspath, required=True)
    parser.add_argument("--nnet3-copy", type=os.path.abspath, required=True)
    parser.add_argument("--backend", default="interpreter")
    parser.add_argument("--filter", default="", help="regular expression")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("directory", type=os.path.abspath)
    options = parser.parse_args()
    return run_cases(partial(check, options), find_runs(options), options.jobs)


if __name__ == "__main__":
    sys.exit(main())
