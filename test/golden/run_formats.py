#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads and rewrites the reference's files with nnet3-copy.

    run_formats.py --nnet3-copy=build/bin/nnet3-copy DIRECTORY

DIRECTORY has a formats.json that lists the files: matrices, vectors, index
vectors, training examples and models. Each must rewrite to the same bytes, in
binary and in text, and convert to its other form. Prints 'N passed, M failed, K
skipped'; exit status 1 if any failed.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

METHODS = {
    "automatic-20rows": 1,
    "automatic-4rows": 1,
    "speech-feature": 2,
    "speech-feature-short": 2,
    "speech-feature-constant": 2,
    "two-byte-auto": 3,
    "two-byte-signed": 4,
    "one-byte-auto": 5,
    "one-byte-unsigned": 6,
    "one-byte-zero-one": 7,
}


class Failed(Exception):
    """A file that is not what it should be."""


class Skipped(Exception):
    """A model with a component that is not there yet."""


class Runner:
    """Runs the tool in the folder of the files."""

    def __init__(self, tool, folder):
        self.tool = tool
        self.folder = folder

    def copy(self, kind, source, *options, target="-"):
        """What the tool writes of a file."""
        result = subprocess.run(
            [self.tool, *options, kind, source, target],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=120,
        )
        if result.returncode == 0:
            return result.stdout
        message = result.stderr.decode(errors="replace").strip()
        if "is not supported yet" in message:
            raise Skipped(message)
        raise Failed(f"{source}: {message}")

    def read(self, name):
        return (self.folder / name).read_bytes()

    def expect(self, kind, source, expected, *options):
        """Checks that a file becomes another, byte for byte."""
        if self.copy(kind, source, *options) != self.read(expected):
            raise Failed(f"{source} {' '.join(options)} is not {expected}")


TEXT = "--binary=false"


def check_pair(runner, kind, binary, text):
    """A binary file and the text of the same object."""
    runner.expect(kind, binary, binary)
    runner.expect(kind, text, text, TEXT)
    runner.expect(kind, binary, text, TEXT)
    runner.expect(kind, text, binary)


def check_values(runner, case):
    kind, name = "matrix", case["binary"]
    if "vector" in name:
        kind = "vector"
    runner.expect(kind, name, name)
    digits = "--digits=17" if "double" in name else "--digits=9"
    runner.expect(kind, name, case["values"], TEXT, digits)


def check_compressed(runner, case):
    name = case["binary"]
    runner.expect("matrix", name, name)
    runner.expect("matrix", name, case["decompressed"], TEXT)
    runner.expect("matrix", name, case["text"], TEXT)
    runner.expect("matrix", case["text"], case["text"], TEXT)
    method = f"--compression-method={METHODS[case['method']]}"
    runner.expect("matrix", case["original"], name, "--compress", method)


def check_sparse(runner, case):
    check_pair(runner, "matrix", case["binary"], case["text"])
    runner.expect("matrix", case["binary"], case["values"], TEXT, "--decompress")


def check_general(runner, case):
    if case["holds"] != "compressed":
        check_pair(runner, "matrix", case["binary"], case["text"])
    else:
        runner.expect("matrix", case["binary"], case["binary"])
        runner.expect("matrix", case["binary"], case["text"], TEXT)
    runner.expect("matrix", case["binary"], case["values"], TEXT, "--decompress")


def check_indexes(runner, case):
    check_pair(runner, "indexes", case["binary"], case["text"])
    words = runner.read(case["text"]).decode().split("<I1>")[1:]
    values = runner.read(case["values"]).decode().splitlines()
    if [word.split() for word in words] != [line.split() for line in values]:
        raise Failed(f"{case['text']} has other values")


def read_example_values(text):
    """The numbers of each record and io of a values file."""
    pattern = re.compile(r"^(\S+) (\S+) indexes=\S* \[([^]]*)\]", re.M)
    return {
        (key, io): [float(word) for word in numbers.split()]
        for key, io, numbers in pattern.findall(text)
    }


def check_egs(runner, case):
    compressed = "compressed" in case["binary"]
    binary, text = "ark:" + case["binary"], "ark:" + case["text"]

    def expect(source, expected, target, *options):
        if runner.copy("egs", source, *options, target=target) != runner.read(
            expected
        ):
            raise Failed(f"{source} does not become {expected}")

    expect(binary, case["binary"], "ark:-")
    expect(text, case["text"], "ark,t:-", "--digits=7")
    expect(binary, case["text"], "ark,t:-", "--digits=7")
    if not compressed:
        expect(text, case["binary"], "ark:-")
    values = read_example_values(runner.read(case["values"]).decode())
    for io in sorted({io for _, io in values}):
        options = ["--decompress", f"--io={io}"]
        got = runner.copy("egs", binary, *options, target="ark,t:-").decode()
        records = re.findall(r"(\S+)\s+\[([^]]*)\]", got)
        expected = [(k, v) for (k, i), v in values.items() if i == io]
        if [key for key, _ in records] != [key for key, _ in expected]:
            raise Failed(f"{case['binary']}: other keys for {io}")
        for (key, text_values), (_, wanted) in zip(records, expected):
            numbers = [float(word) for word in text_values.split()]
            step = (max(wanted) - min(wanted)) / 64 if compressed else 0
            if len(numbers) != len(wanted) or any(
                abs(a - b) > step for a, b in zip(numbers, wanted)
            ):
                raise Failed(f"{case['binary']}: other values for {key} {io}")


def check_model(runner, case):
    binary, text = case["binary"], case["text"]
    runner.expect("model", binary, binary)
    runner.expect("model", text, text, TEXT)
    runner.expect("model", case["text_as_written"], case["text_as_written"], TEXT,
                  "--digits=7")
    runner.expect("model", binary, text, TEXT)
    if case["text_reads_to_the_same_bytes"]:
        runner.expect("model", text, binary)
    double = runner.copy("model", case["double"])
    if case["double_reads_to_the_same_floats"] and double != runner.read(binary):
        raise Failed(f"{case['double']} is not {binary}")


def check_older(runner, case):
    written = runner.copy("model", case["file"])
    for name in (case.get("rewritten"), case.get("modern")):
        if name == case.get("modern") and not case["same_as_modern_model"]:
            continue
        if name and (runner.folder / name).exists():
            if written != runner.read(name):
                raise Failed(f"{case['file']} is not {name} when rewritten")


def check(runner, case):
    kind = case["kind"]
    if kind.startswith("older model"):
        check_older(runner, case)
    elif kind == "model":
        check_model(runner, case)
    elif kind == "compressed matrix":
        check_compressed(runner, case)
    elif kind == "empty matrix":
        check_pair(runner, "matrix", case["binary"], case["text"])
    elif kind == "sparse matrix":
        check_sparse(runner, case)
    elif kind == "general matrix":
        check_general(runner, case)
    elif kind == "index vector":
        check_indexes(runner, case)
    elif kind.startswith("training examples"):
        check_egs(runner, case)
    else:
        check_values(runner, case)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nnet3-copy", required=True, type=pathlib.Path)
    parser.add_argument("directory", type=pathlib.Path)
    options = parser.parse_args()
    runner = Runner(options.nnet3_copy.absolute(), options.directory)
    cases = json.loads((options.directory / "formats.json").read_text())
    passed = failed = skipped = 0
    for case in cases:
        name = case.get("binary") or case["file"]
        try:
            check(runner, case)
            passed += 1
        except Skipped as reason:
            skipped += 1
            print(f"skipped {name}: {reason}")
        except Failed as reason:
            failed += 1
            print(f"FAILED {name}: {reason}")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
