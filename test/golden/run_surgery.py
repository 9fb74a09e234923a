#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes, changes and prints models with our programs as the reference did.

    run_surgery.py --bin=DIRECTORY [--filter=REGEX] DIRECTORY

DIRECTORY has a folder for each case, with case.json and the expected result;
--bin is where the programs are. A model is right if it has the same nodes,
components and tokens, and the root mean square of each tensor's difference is
at most `tol`, from the case, of that of the tensor. The factors of a matrix are
compared by their product. A text is right if its words are the same and each of
its numbers is near. Prints 'N passed, M failed'; exit status 1 if any failed.
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

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|inf|nan)\b")


class Failed(Exception):
    pass


class Skipped(Exception):
    pass


def rms(values):
    return numpy.sqrt(numpy.mean(numpy.square(values))) if values.size else 0.0


def read(path):
    with open(path, "rb") as file:
        return file.read()


def compare_text(found, expected, tolerance):
    if _NUMBER.sub("#", found).split() != _NUMBER.sub("#", expected).split():
        for line, other in zip(found.splitlines(), expected.splitlines()):
            if _NUMBER.sub("#", line).split() != _NUMBER.sub("#", other).split():
                raise Failed(f"got\n  {line}\nnot\n  {other}")
        raise Failed("another number of lines")
    for a, b in zip(_NUMBER.findall(found), _NUMBER.findall(expected)):
        if not abs(float(a) - float(b)) <= tolerance * (0.01 + abs(float(b))):
            raise Failed(f"number {a}, not {b}")


def to_numbers(words):
    try:
        return numpy.array(words, float)
    except ValueError:
        return None


def multiply_factors(components):
    """Replaces the matrices of components NAME_a and NAME_b by their product."""
    for name in [n[:-2] for n in components if n.endswith("_b")]:
        first, second = dict(components[name + "_a"]), dict(components[name + "_b"])
        bias = to_numbers(second["BiasParams"])
        wide = to_numbers(second["LinearParams"]).reshape(bias.size, -1)
        narrow = to_numbers(first["Params"]).reshape(wide.shape[1], -1)
        for suffix, token, value in (
            ("_a", "Params", wide @ narrow),
            ("_b", "LinearParams", wide @ narrow),
        ):
            part = components[name + suffix]
            part[:] = [
                (t, [str(v) for v in value.ravel()] if t == token else words)
                for t, words in part
            ]


def compare_models(found, expected, tolerance):
    """Two models in text."""
    head, components = kaldi_files.parse_model(found)
    other_head, others = kaldi_files.parse_model(expected)
    compare_text(" ".join(head), " ".join(other_head), tolerance)
    if list(components) != list(others):
        raise Failed(f"components {list(components)}, not {list(others)}")
    multiply_factors(components)
    multiply_factors(others)
    for name, tokens in components.items():
        if [t for t, _ in tokens] != [t for t, _ in others[name]]:
            raise Failed(f"{name} has tokens {[t for t, _ in tokens]}")
        for (token, words), (_, other) in zip(tokens, others[name]):
            a, b = to_numbers(words), to_numbers(other)
            if a is None or b is None:
                if words != other:
                    raise Failed(f"{name} {token}: {words}, not {other}")
            elif a.shape != b.shape or not rms(a - b) <= tolerance * rms(b):
                raise Failed(f"{name} {token}: {a[:5]}, not {b[:5]}")


def model_text(options, path):
    done = subprocess.run(
        [os.path.join(options.bin, "nnet3-copy"), "--binary=false", "model", path, "-"],
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        raise Failed(done.stderr)
    return done.stdout


def compare_output(options, output, path, stdout, directory):
    """Whether the bytes are the same, too."""
    expected = os.path.join(directory, output["file"])
    if output.get("stdout"):
        compare_text(stdout, read(expected).decode(), output["tol"])
        return stdout == read(expected).decode()
    if read(path) == read(expected):
        return True
    if output["compare"] in ("text", "info"):
        compare_text(read(path).decode(), read(expected).decode(), output["tol"])
    else:
        compare_models(
            model_text(options, path), model_text(options, expected), output["tol"]
        )
    return False


def check(options, directory, case):
    """Whether the bytes of the result are the reference's."""
    program, *arguments = shlex.split(case["command"])
    program = os.path.join(options.bin, program)
    if not os.path.exists(program):
        raise Skipped()
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "output")
        done = subprocess.run(
            [program] + [path if a == "OUTPUT" else a for a in arguments],
            cwd=os.path.join(directory, case["working_directory"]),
            capture_output=True,
            text=True,
        )
        if case["exit_status"] == "not 0":
            if done.returncode != 1 or "error: " not in done.stderr:
                raise Failed(f"status {done.returncode}: {done.stderr}")
            if os.path.exists(path):
                raise Failed("there is an output")
            return True
        if done.returncode != 0:
            raise Failed(done.stderr.strip() or f"status {done.returncode}")
        return all(
            compare_output(options, output, path, done.stdout, directory)
            for output in case["outputs"]
        )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=os.path.abspath, required=True)
    parser.add_argument("--filter", type=re.compile, default=re.compile(""))
    parser.add_argument("directory", type=os.path.abspath)
    options = parser.parse_args()
    passed = failed = skipped = same = 0
    for path in sorted(glob.glob(os.path.join(options.directory, "*/case.json"))):
        case = json.loads(read(path))
        if not options.filter.search(case["name"]):
            continue
        try:
            same += check(options, os.path.dirname(path), case)
            passed += 1
        except Skipped:
            skipped += 1
        except Failed as error:
            failed += 1
            print(f"{case['name']}: {error}")
    print(f"{passed} passed, {failed} failed, {skipped} skipped, {same} the same to the byte")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
