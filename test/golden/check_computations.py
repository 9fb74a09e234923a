#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the computations of the reference cases after every pass.

    check_computations.py --nnet3-opt=OPT --nnet3-translate=TRANSLATE DIRECTORY

Compiles the request of each case in DIRECTORY (see run_golden.py), and runs
the optimisations with nnet3-check-computation between all of them. Prints what
it complains about; exit status 1 if it does, or if there are no cases.
"""
import argparse
import concurrent.futures
import json
import os
import subprocess
import sys

from run_golden import COMPONENTS

PIPELINE = "builtin.module(nnet3-compile,nnet3-optimize{check=true})"


def find_cases(directory):
    """The model and the request of each case."""
    for folder, folders, files in os.walk(directory):
        folders.sort()
        if "case.json" not in files:
            continue
        with open(os.path.join(folder, "case.json")) as file:
            case = json.load(file)
        # Those of looped computation do not name components.
        components = case.get("components")
        if "request" not in case or not components or set(components) - COMPONENTS:
            continue
        yield tuple(os.path.join(folder, case[key]) for key in ("model", "request"))


def check(options, model, request):
    """What is wrong; empty if nothing is."""
    module = subprocess.run(
        [options.nnet3_translate, "--raw-to-mlir", "--request=" + request, model],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    if module.returncode != 0:
        return module.stderr.decode()
    result = subprocess.run(
        [options.nnet3_opt, "--pass-pipeline=" + PIPELINE, "-o", os.devnull],
        input=module.stdout,
        stderr=subprocess.PIPE,
    )
    return result.stderr.decode() if result.returncode != 0 else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nnet3-opt", required=True)
    parser.add_argument("--nnet3-translate", required=True)
    parser.add_argument("directory")
    options = parser.parse_args()
    cases = list(find_cases(options.directory))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda case: check(options, *case), cases)
        for (_, request), complaint in zip(cases, results):
            if complaint:
                failed += 1
                print(f"failed: {request}: {complaint}")
    print(f"{len(cases) - failed} clean, {failed} failed")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
