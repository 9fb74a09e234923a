#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs Kaldi's programs with one wrong argument each.

    run_wrong_inputs.py [--tools=NAME,...] [--log=FILE] BIN DIRECTORY...

Takes the correct commands of the cases in DIRECTORY (as run_programs.py) and of
OTHERS. Replaces each input file by wrong ones, each output file by one that
cannot be written, and each number of an option by one that is out of range. The
program must print one error, exit with 1 and leave its output files unchanged;
records of archives that precede the error may have been written. An exit status
of 0 is accepted for short files: Kaldi's programs skip utterances that other
tables do not have. Prints 'N passed, M failed'; exit status 1 if any failed.
"""
import argparse
import glob
import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile

from run_programs import find_models

# Correct commands of programs that have no case: folder and command.
OTHERS = [
    ("training", "nnet3-get-egs-dense-targets --num-targets=4 --num-frames=8 ark:egs/get.feats.ark ark:egs/get.feats.ark ark:OUTPUT"),
    ("training", "nnet3-get-egs-simple input=ark:egs/get.feats.ark output=ark:egs/get.feats.ark ark:OUTPUT"),
    ("training", "nnet3-diff lstmp/after1.raw lstmp/after5.raw"),
    ("training", "nnet3-copy egs ark:egs/small.ark ark:OUTPUT"),
    ("training", "nnet3-copy matrix ark:egs/get.feats.ark ark:OUTPUT"),
    ("surgery", "nnet3-copy --binary=false model models/am-priors.mdl OUTPUT"),
    ("online", "nnet3-get-egs-teacher --num-frames=8 --temperature=2 --ivectors=ark:online-ivectors.ark --online-ivector-period=10 ../recipes/tdnn/model.raw ark:feats.ark ark:OUTPUT"),
    ("online", "nnet3-prune --keep=0.5 --multiple=1 --online-ivectors=ark:online-ivectors.ark --online-ivector-period=10 ../recipes/tdnnf/model.raw ark:feats.ark OUTPUT"),
    ("online", "nnet3-run --online-ivectors=ark:online-ivectors.ark --online-ivector-period=10 ../recipes/tdnn/model.raw ark:feats.ark ark:OUTPUT"),
    ("online", "nnet3-run --streaming --frames-per-chunk=21 --online-ivectors=ark:online-ivectors.ark --online-ivector-period=10 ../recipes/tdnn/model.raw ark:feats.ark ark:OUTPUT"),
    ("surgery", "nnet3-init ../training/tdnn-natural-gradient/after25.raw models/new-output.config OUTPUT"),
]
# Exit status 0 is right for these faults: they leave fewer utterances.
FEWER = {"cut", "empty"}
TIMEOUT = 60


def is_output(word):
    return "OUTPUT" in word


def split_specifier(word):
    """`ark:`, `scp,p:`, or nothing, and the file."""
    match = re.match(r"((?:\w+=)?(?:ark|scp)[\w,]*:)(.*)", word)
    return match.groups() if match else ("", word)


class Faults:
    """Wrong files, in the folder `scratch`."""

    def __init__(self, scratch):
        self.scratch = scratch
        self.random = random.Random(1)
        self.count = 0
        os.mkdir(os.path.join(scratch, "folder"))

    def write(self, name, data):
        self.count += 1
        path = os.path.join(self.scratch, f"{name}-{self.count}")
        pathlib.Path(path).write_bytes(data)
        return path

    def get_files(self, path):
        """What stands in the place of the file: name of the fault, path."""
        data = pathlib.Path(path).read_bytes()
        # One line, as every wrong line of a config gets its error.
        noise = bytes(self.random.randrange(11, 256) for _ in range(1000))
        yield "missing", os.path.join(self.scratch, "missing")
        yield "folder", os.path.join(self.scratch, "folder")
        yield "empty", self.write("empty", b"")
        yield "text", self.write("text", b"one two\n")
        yield "noise", self.write("noise", noise)
        yield "noise-behind", self.write("noise-behind", data[:40] + noise)
        yield "cut", self.write("cut", data[: len(data) // 2])
        yield "model", self.write("model", b"\0B<Nnet3> \n<NumComponents> \4\xff\xff\xff\x7f")
        yield "matrix", self.write("matrix", b"a \0BFM \4\xff\xff\xff\x7f\4\xff\xff\xff\x7f")

    def get_outputs(self):
        yield "no-folder", os.path.join(self.scratch, "none", "file")
        yield "is-folder", os.path.join(self.scratch, "folder")
        yield "full", "/dev/full"


def get_wrong_commands(command, folder, faults, seen):
    """Each wrong command, with the name of the fault. `seen` has the options and
    positions of each program that are done."""
    if command[0] not in seen:
        yield "unknown-option", [command[0], "--no-such-option=1", *command[1:]]
        yield "no-arguments", [command[0]]
    seen.add(command[0])
    position = 0
    for i, word in enumerate(command[1:], 1):
        option, equals, value = word.partition("=")
        prefix = option + equals if word[:2] == "--" and equals else ""
        position += not prefix
        specifier, name = split_specifier(value if prefix else word)
        key = (command[0], prefix or position, specifier)
        if key in seen:
            continue
        seen.add(key)
        prefix += specifier
        replace = lambda text: command[:i] + [text] + command[i + 1 :]
        if is_output(word):
            for fault, path in faults.get_outputs():
                yield f"{fault}-{i}", replace(prefix + path)
        elif os.path.isfile(os.path.join(folder, name)):
            for fault, path in faults.get_files(os.path.join(folder, name)):
                yield f"{fault}-{i}", replace(prefix + path)
        elif prefix and re.fullmatch(r"[-\d.]+", name):
            for fault in ("x", "1e400", "nan"):
                yield f"number-{fault}-{i}", replace(prefix + fault)


def describe(status, log, fault, untouched):
    """What is wrong with the way in which a program ended; nothing if all is
    right."""
    if fault == "no-arguments":
        return None if status == 1 and re.search("^Usage: |^error: ", log, flags=re.M) else "no usage"
    errors = re.findall(r"(?:^|: )error: |^ERROR", log, flags=re.M)
    if status is None:
        return "did not end"
    if status == 0:
        return None if fault.split("-")[0] in FEWER else "exit status 0"
    if status != 1:
        return f"exit status {status}"
    if len(errors) != 1:
        return f"{len(errors)} errors"
    # The records before the error may be noise.
    if fault.startswith("noise-behind"):
        return None
    return None if untouched else "changed an output"


def read_all(outputs):
    """The contents of each output; nothing for one that is missing."""
    paths = map(pathlib.Path, outputs)
    return [path.read_bytes() if path.exists() else b"" for path in paths]


def is_beginning(found, expected, command):
    # Batches are written in the order in which they are full.
    return found and (expected.startswith(found) or "batch" in command[0])


def run(command, folder, outputs, right):
    """The exit status (None if the program does not end), what it logs, and
    whether the outputs have either what they had before or a beginning of what
    is `right`."""
    for path in outputs:
        pathlib.Path(path).write_bytes(b"old")
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, timeout=TIMEOUT,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        return None, "", True
    untouched = all(
        found == b"old" or is_beginning(found, expected, command)
        for found, expected in zip(read_all(outputs), right)
    )
    return done.returncode, done.stderr.decode(errors="replace"), untouched


def find_commands(options):
    """Folder and command of each case."""
    for directory in options.directories:
        commands = [c for name, c in OTHERS if name == os.path.basename(directory)]
        for path in sorted(glob.glob(os.path.join(directory, "*/case.json"))):
            with open(path) as file:
                case = json.load(file)
            if case.get("exit_status", 0) == 0:
                for run in case.get("runs", [case]):
                    commands += run.get("commands") or [run.get("command", "")]
        for text in commands:
            if not text:
                continue
            command = shlex.split(find_models(directory, text))
            command = [word for word in command if word != "--use-gpu=no"]
            files = [split_specifier(word)[1] for word in command[1:]]
            missing = any(
                name.endswith(".scp") and not os.path.exists(os.path.join(directory, name))
                for name in files
            )
            if ";" in command or missing:
                continue
            if not options.tools or command[0] in options.tools.split(","):
                yield directory, command


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tools", default="", help="only these programs")
    parser.add_argument("--log", help="where all errors are written")
    parser.add_argument("bin", type=os.path.abspath)
    parser.add_argument("directories", nargs="+", type=os.path.abspath)
    options = parser.parse_args()
    log_file = open(options.log or os.devnull, "w")
    passed = failed = 0
    seen = set()
    for folder, command in find_commands(options):
        with tempfile.TemporaryDirectory() as scratch:
            faults = Faults(scratch)
            names = sorted(set(re.findall(r"OUTPUT\d*", " ".join(command))))
            outputs = [os.path.join(scratch, name) for name in names]

            def complete(command):
                """The command with the paths of its program and outputs."""
                program = os.path.join(options.bin, command[0])
                return [program] + [
                    re.sub(r"OUTPUT\d*", lambda m: os.path.join(scratch, m[0]), word)
                    for word in command[1:]
                ]

            wrong_commands = list(get_wrong_commands(command, folder, faults, seen))
            if not wrong_commands:
                continue
            right = [b""] * len(outputs)
            status, log, _ = run(complete(command), folder, outputs, right)
            if status != 0:
                print(f"exit status {status}: {shlex.join(command)}\n{log}")
                failed += 1
                continue
            right = read_all(outputs)
            for fault, wrong in wrong_commands:
                status, log, untouched = run(complete(wrong), folder, outputs, right)
                what = describe(status, log, fault, untouched)
                line = f"{fault}: {shlex.join(wrong)}"
                print(f"{line}\n{log}", file=log_file)
                passed += not what
                failed += bool(what)
                if what:
                    print(f"{what}: {line}\n{log.strip()[-300:]}\n")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
