#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs Kaldi's programs as the reference's cases did, and compares what they
write and print.

    run_programs.py [--tools=NAME,...] BIN DIRECTORY...

BIN has the programs. A DIRECTORY has a folder for each case, with case.json and
the files to expect, and what the commands read. Files are compared as the case
says: to the byte, or as text whose words are the same and whose numbers differ
by at most `tol`. Numbers of the log may differ by `tol` times 1 plus their size.
Prints 'N passed, M failed'; exit status 1 if any failed.
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

import program_logs


# Cases of training itself have another form; run_surgery.py checks the rest.
TOOLS = {
    "nnet3-am-adjust-priors",
    "nnet3-average",
    "nnet3-chain-combine",
    "nnet3-chain-compute-prob",
    "nnet3-chain-copy-egs",
    "nnet3-chain-merge-egs",
    "nnet3-chain-shuffle-egs",
    "nnet3-combine",
    "nnet3-compute",
    "nnet3-compute-prob",
    "nnet3-copy-egs",
    "nnet3-get-egs",
    "nnet3-merge-egs",
    "nnet3-show-progress",
    "nnet3-shuffle-egs",
    "nnet3-subset-egs",
    "nnet3-xvector-compute",
    "nnet3-xvector-compute-batched",
}


class Failed(Exception):
    pass


def execute(command, directory, wanted_status=0):
    """The log of a program."""
    done = subprocess.run(command, cwd=directory, capture_output=True)
    log = done.stderr.decode(errors="replace")
    if (done.returncode != 0) != (wanted_status != 0):
        raise Failed(log.strip() or f"status {done.returncode}")
    return log


def read(path):
    with open(path, "rb") as file:
        return file.read()


def to_text(options, kind, path, scratch):
    """A model or an archive of `kind` in words."""
    text = os.path.join(scratch, "text")
    source, target = (path, text) if kind == "model" else (f"ark:{path}", f"ark,t:{text}")
    execute([f"{options.bin}/nnet3-copy", "--binary=false", kind, source, target], ".")
    return read(text).decode()


def is_number(word):
    try:
        float(word)
    except ValueError:
        return False
    return True


def split(text):
    """Words, and the numbers that stand together as one array."""
    parts, numbers = [], []
    for word in text.split():
        if is_number(word):
            numbers.append(float(word))
            continue
        if numbers:
            parts.append(numpy.array(numbers))
            numbers = []
        parts.append(word)
    return parts + ([numpy.array(numbers)] if numbers else [])


def rms(values):
    return numpy.sqrt(numpy.mean(numpy.square(values)))


def compare_texts(found, expected, tolerance, least):
    """Arrays may differ by `tolerance` times their size plus `least`."""
    found, expected = split(found), split(expected)
    if len(found) != len(expected):
        raise Failed(f"{len(found)} parts, not {len(expected)}")
    for ours, theirs in zip(found, expected):
        if isinstance(ours, str) or isinstance(theirs, str):
            if not isinstance(ours, str) or not isinstance(theirs, str) or ours != theirs:
                raise Failed(f"{ours!r}, not {theirs!r}")
        elif ours.shape != theirs.shape:
            raise Failed(f"{ours.size} numbers, not {theirs.size}")
        elif rms(ours - theirs) > tolerance * (least + rms(theirs)):
            raise Failed(f"{ours}, not {theirs}")


def sorted_records(options, path, scratch):
    """The records of an archive of examples, whatever their order."""
    text = to_text(options, "egs", path, scratch)
    return sorted(record.strip() for record in text.split("</Nnet3ChainEg>"))


def drop_random(text):
    """A model without what the reference stores at random: the statistics of
    elementwise nonlinearities."""
    name = r"(?:RectifiedLinear|Sigmoid|Tanh|Softmax|LogSoftmax)Component"
    token = r"<(?:ValueAvg|DerivAvg|OderivRms)>\s*\[[^]]*\]|<(?:Count|OderivCount)> \S+"
    return re.sub(
        rf"<({name})>.*?</\1>", lambda m: re.sub(token, "", m[0]), text, flags=re.S
    )


def compare(options, case, directory, output, actual, scratch):
    kind = output["compare"]
    if kind == "same-records":
        source = os.path.join(directory, output["records_of"])
        if sorted_records(options, actual, scratch) != sorted_records(options, source, scratch):
            raise Failed("other records")
        return
    expected = os.path.join(directory, output["file"])
    if kind == "bytes":
        if read(actual) != read(expected):
            raise Failed(f"other bytes than {output['file']}")
    elif kind in ("model", "mdl"):
        texts = [to_text(options, "model", path, scratch) for path in (actual, expected)]
        if case["tool"] in ("nnet3-combine", "nnet3-chain-combine"):
            texts = map(drop_random, texts)
        compare_texts(*texts, output["tol"], 0.1)
    elif kind == "archive":
        values = "matrix" if case["tool"] == "nnet3-compute" else "vector"
        texts = [to_text(options, values, path, scratch) for path in (actual, expected)]
        # The variance of a unit that is constant is rounding noise in the
        # reference, and 0 here; batch norm makes it larger.
        compare_texts(*texts, max(output["tol"], 3e-4), 1)
    elif kind == "text":
        compare_texts(read(actual).decode(), read(expected).decode(), output["tol"], 1e-2)
    else:
        raise Failed(f"unknown comparison '{kind}'")


def compare_log(case, log):
    found = program_logs.parse(case["tool"], log)
    if not program_logs.is_near(found, case["log"], case.get("log_tol", {}).get("tol", 0)):
        raise Failed(f"{found}, not {case['log']}")


def get_commands(case):
    """The commands of a case. What nnet3-compute computes in batches, which the
    reference cannot, are the same rows."""
    commands = case.get("commands", [case["command"]])
    if case["tool"] != "nnet3-compute":
        return commands
    batched = commands[0].replace("nnet3-compute ", "nnet3-compute --minibatch-size=3 ")
    return [*commands, batched]


def check(options, directory, case):
    for command in get_commands(case):
        check_command(options, directory, case, command)


def find_models(directory, command):
    """Models of recipes are beside the cases, or with the golden networks."""

    def find(match):
        name = match[0]
        exists = os.path.isdir(os.path.join(directory, name))
        return name if exists else name.replace("../", "../golden/")

    return re.sub(r"\.\./recipes/[\w-]+", find, command)


def check_command(options, directory, case, command):
    command = find_models(os.path.dirname(directory), command)
    with tempfile.TemporaryDirectory() as scratch:
        outputs = [
            (output, os.path.join(scratch, output["placeholder"]))
            for output in case.get("outputs", [])
            if output["placeholder"] in command
        ]
        # The longest name first: one is the beginning of others.
        for output, path in sorted(outputs, key=lambda pair: -len(pair[1])):
            command = command.replace(output["placeholder"], path)
        if not outputs:
            command = command.replace("OUTPUT", os.path.join(scratch, "OUTPUT"))
        program, *arguments = shlex.split(command)
        log = execute(
            [os.path.join(options.bin, program), *arguments],
            os.path.dirname(directory),
            case["exit_status"],
        )
        for output, path in outputs:
            compare(options, case, directory, output, path, scratch)
        if case.get("log"):
            compare_log(case, log)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tools", default="", help="only the cases of these")
    parser.add_argument("bin", type=os.path.abspath)
    parser.add_argument("directories", nargs="+", type=os.path.abspath)
    options = parser.parse_args()
    tools = options.tools.split(",") if options.tools else None
    passed = failed = 0
    for directory in options.directories:
        for path in sorted(glob.glob(os.path.join(directory, "*/case.json"))):
            with open(path) as file:
                case = json.load(file)
            if case.get("tool") not in (tools or TOOLS):
                continue
            try:
                check(options, os.path.dirname(path), case)
                passed += 1
            except Failed as error:
                print(f"{case['family']}/{case['name']}: {str(error)[:500]}")
                failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
