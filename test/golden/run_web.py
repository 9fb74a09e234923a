#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles reference cases to WebAssembly, runs them in Node and in Chromium, and
compares the results.

    run_web.py --nnet3-compile=build/bin/nnet3-compile DIRECTORY

The forward part of the cases that run_golden.py takes, at the same tolerance;
random components have no numbers to compare. --library has options of
nnet3-compile; each of them is one more library of each case. Prints 'N passed, M
failed, K skipped'; exit status 1 if any failed.
"""
import argparse
import base64
import concurrent.futures
import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import threading

import numpy

import browser
import compare
import kaldi_files
import run_golden
from commands import execute
from compare import Failed
from pack_cases import RMS_ERRORS, value_of
from run_libraries import check_rms_error

HERE = os.path.dirname(os.path.abspath(__file__))
# Outputs are compared after the first run, and once more.
RUNS = (1, 3)


class Node:
    """Runs cases in one process of Node."""

    name = "node"

    def __init__(self, program, folder):
        self.folder = folder
        # Node 20 has relaxed SIMD as an experiment, later versions have no such
        # option.
        flag = "--experimental-wasm-relaxed-simd"
        help_text = execute([program, "--v8-options"], folder)
        flags = [flag] if flag in help_text else []
        self.process = subprocess.Popen(
            [program, *flags, os.path.join(HERE, "run_case.mjs")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, name, inputs, times):
        path = "file://" + os.path.join(self.folder, name, "net.mjs")
        self.process.stdin.write(json.dumps([path, inputs, times]) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        answer = json.loads(line) if line else {"error": "Node has ended"}
        if "error" in answer:
            raise Failed(answer["error"])
        return answer["outputs"]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Chromium:
    """Runs cases in one page of Chromium."""

    name = "chromium"

    def __init__(self, folder):
        self.stack = contextlib.ExitStack()
        server = browser.Server({"": HERE, "cases": folder})
        self.address = self.stack.enter_context(server).address
        self.page = self.stack.enter_context(browser.Browser())
        self.page.open(self.address + "run_case.html")

    def run(self, name, inputs, times):
        path = f"{self.address}cases/{name}/net.mjs"
        arguments = ", ".join(map(json.dumps, (path, inputs, times)))
        try:
            return self.page.evaluate(f"await runCase({arguments})")
        except browser.Failed as error:
            raise Failed(str(error)) from error

    def close(self):
        self.stack.close()


def check(case, entry, library, actual, expected):
    node = entry["node"]
    actual = numpy.frombuffer(base64.b64decode(actual), "<f4")
    if actual.size != expected.size:
        raise Failed(f"{node}: {actual.size} numbers, not {expected.size}")
    actual = actual.reshape(expected.shape)
    rms_error = RMS_ERRORS.get(value_of(library, "--precision"))
    if rms_error:
        return check_rms_error(node, actual, expected, rms_error)
    tolerance = run_golden.tolerance_of(case, "output", node)
    ignored = entry.get("ignore_columns", ())
    return compare.compare(node, actual, expected, tolerance, ignored)


def run_case(options, number, directory, case):
    """Runs a case, with each library, on each host; gives what fails."""
    inputs, outputs = {}, []
    for entry in case["files"]:
        path = os.path.join(directory, entry["file"])
        if entry["kind"] == "input":
            values = numpy.asarray(kaldi_files.read_matrix(path), "<f4")
            inputs[entry["node"]] = base64.b64encode(values.tobytes()).decode()
        elif entry["kind"] == "output":
            outputs.append((entry, kaldi_files.read_matrix(path)))
    wrong = []
    for index, library in enumerate(options.library):
        name = f"{number}-{index}"
        folder = os.path.join(options.scratch, name)
        os.mkdir(folder)
        arguments = [options.nnet3_compile, "--target=wasm32-unknown-unknown"]
        arguments += ["--test-mode=false", "--request=" + case["request"]]
        arguments += ["-o", os.path.join(folder, "net")]
        try:
            execute(arguments + library.split() + [case["model"]], directory)
        except Failed as error:
            wrong.append(f"{library}: {error}")
            continue
        for host in options.hosts:
            for times in RUNS:
                try:
                    with options.lock:
                        found = host.run(name, inputs, times)
                    if found is None:
                        options.lacking.add(f"{library}, {host.name}")
                        continue
                    for entry, expected in outputs:
                        actual = found[entry["node"]]
                        check(case, entry, library, actual, expected)
                except Failed as error:
                    wrong.append(f"{library}, {host.name}: {error}")
    return wrong


def find_cases(options):
    for kind, directory, case in run_golden.find_cases(options.directory):
        if kind is run_golden.run_request and re.search(
            options.filter, case["name"]
        ):
            yield directory, case


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("directory")
    parser.add_argument("--nnet3-compile", required=True)
    parser.add_argument("--node", help="program, or nothing for none")
    parser.add_argument("--chromium", action="store_true")
    parser.add_argument("--library", action="append", required=True)
    parser.add_argument("--filter", default="", help="regular expression")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    options.nnet3_compile = os.path.abspath(options.nnet3_compile)
    options.lock = threading.Lock()
    options.lacking = set()
    cases = list(find_cases(options))
    failed = 0
    with tempfile.TemporaryDirectory() as scratch, contextlib.ExitStack() as all:
        options.scratch = scratch
        options.hosts = [Node(options.node, scratch)] if options.node else []
        if options.chromium:
            options.hosts.append(Chromium(scratch))
        for host in options.hosts:
            all.callback(host.close)
        if not options.hosts:
            sys.exit("error: expects --node or --chromium")
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            results = pool.map(
                lambda item: run_case(options, item[0], *item[1]),
                enumerate(cases),
            )
            for (_, case), wrong in zip(cases, results):
                failed += bool(wrong)
                for text in wrong:
                    print(f"failed: {case['name']}: {text}")
    for text in sorted(options.lacking):
        print(f"left out: {text}: lacks instructions")
    passed = len(cases) - failed
    print(f"{passed} passed, {failed} failed, 0 skipped; each in "
          f"{len(options.library)} libraries on "
          f"{', '.join(host.name for host in options.hosts)}")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
