#!/usr/bin/python3
"""Runs nnet3-run on reference cases and compares the results.

    run_golden.py --nnet3-run=build/bin/nnet3-run DIRECTORY

DIRECTORY holds cases: folders with a case.json that names the model, the
request or command line, and the expected matrices, and errors.json files that
list what must be rejected. A value is right if it differs from the expected one
by at most 1e-4 + 1e-4 * |expected|, or by the case's own tolerance where that
is wider. Prints 'N passed, M failed, K skipped'; exit status 1 if any failed.
"""
import argparse
import concurrent.futures
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

import numpy

# Cases with other components are skipped, and counted as such.
COMPONENTS = {
    name + "Component"
    for name in (
        "NaturalGradientAffine Affine Linear FixedAffine Tdnn BatchNorm "
        "RectifiedLinear Sigmoid Tanh Softmax LogSoftmax Normalize NoOp "
        "Dropout GeneralDropout SpecAugmentTimeMask ElementwiseProduct "
        "SumBlock SumGroup Permute ClipGradient BackpropTruncation FixedScale "
        "FixedBias PerElementScale NaturalGradientPerElementScale "
        "PerElementOffset ScaleAndOffset LstmNonlinearity"
    ).split()
}


class Failed(Exception):
    """The case's result is wrong."""


class Skipped(Exception):
    """The case is about something that is not there yet."""


# ---- Matrices ---------------------------------------------------------------


def parse_binary(data, at):
    """The float or double matrix whose token begins at `at`."""
    kinds = {b"FM ": "<f4", b"DM ": "<f8"}
    dtype = kinds[data[at : at + 3]]
    rows, cols = struct.unpack_from("<xixi", data, at + 3)
    return numpy.frombuffer(data, dtype, rows * cols, at + 13).reshape(
        rows, cols
    )


def parse_text(text):
    """A matrix in brackets."""
    body = text[text.index("[") + 1 : text.index("]")]
    rows = [row.split() for row in body.strip().split("\n") if row.strip()]
    return numpy.array(rows, dtype=numpy.float64)


def read_matrix(path):
    with open(path, "rb") as file:
        data = file.read()
    if data[:2] == b"\0B":
        return parse_binary(data, 2)
    return parse_text(data.decode())


def read_text_archive(path):
    """Matrices by key."""
    with open(path) as file:
        text = file.read()
    records = re.findall(r"^(\S+)\s+\[(.*?)\]", text, re.M | re.S)
    return {key: parse_text("[" + body + "]") for key, body in records}


def compare(name, actual, expected, tolerance, ignore=()):
    if actual.shape != expected.shape:
        raise Failed(f"{name}: expected {expected.shape}, got {actual.shape}")
    actual = actual.astype(numpy.float64)
    expected = expected.astype(numpy.float64)
    size = numpy.abs(expected)
    bound = numpy.maximum(1e-4 + 1e-4 * size, tolerance * (1 + size))
    # Not `>`: a NaN is wrong too.
    wrong = ~(numpy.abs(actual - expected) <= bound)
    if list(ignore):
        wrong[:, list(ignore)] = False
    if wrong.any():
        row, col = numpy.argwhere(wrong)[0]
        raise Failed(
            f"{name}: {wrong.sum()} of {wrong.size} values differ, first at "
            f"[{row}, {col}]: expected {expected[row, col]}, "
            f"got {actual[row, col]}"
        )


# ---- Cases ------------------------------------------------------------------


def run(options, arguments, directory):
    """Runs nnet3-run; its exit status and error output."""
    result = subprocess.run(
        [options.nnet3_run, "--print-args=false"] + arguments,
        cwd=directory,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=600,
    )
    return result.returncode, result.stderr.decode(errors="replace")


def tolerance_of(case, node):
    return case.get("tol", {}).get("output", {}).get(node, {}).get("tol", 0)


def run_request(options, directory, case, scratch):
    """One computation, of which the forward part is compared."""
    arguments = ["--request=" + case["request"]]
    outputs = []
    for entry in case["files"]:
        if entry["kind"] == "input":
            arguments.append(f"--input={entry['node']}={entry['file']}")
        elif entry["kind"] == "output":
            path = os.path.join(scratch, entry["node"])
            arguments.append(f"--output={entry['node']}={path}")
            outputs.append((entry, path))
    status, errors = run(options, arguments + [case["model"]], directory)
    if status != 0:
        raise Failed(f"exit status {status}: {errors.strip()}")
    for entry, path in outputs:
        compare(
            entry["node"],
            read_matrix(path),
            read_matrix(os.path.join(directory, entry["file"])),
            tolerance_of(case, entry["node"]),
            entry.get("ignore_columns", ()),
        )


def run_cli(options, directory, case, scratch):
    """A whole run over tables."""
    work = os.path.join(directory, case["working_directory"])
    output = os.path.join(scratch, "output.ark")
    arguments = case["options"] + [
        case["model"],
        case["features"],
        "ark,t:" + output,
    ]
    status, errors = run(options, arguments, work)
    expected_status = min(case["exit_status"], 1)
    if status != expected_status:
        raise Failed(
            f"exit status {status}, expected {expected_status}: "
            + errors.strip()
        )
    if "output" not in case:
        if os.path.exists(output) and os.path.getsize(output) > 0:
            raise Failed("there is output")
        return
    actual = read_text_archive(output)
    expected = read_text_archive(os.path.join(directory, case["output"]))
    if list(actual) != list(expected):
        raise Failed(f"keys {list(actual)}, expected {list(expected)}")
    for key, matrix in expected.items():
        compare(key, actual[key], matrix, tolerance_of(case, "output"))


def run_error(options, directory, case, scratch):
    """A config, or a config with a request, that must be rejected."""
    config = os.path.basename(case["config"])
    request = case.get("request")
    files = [config]
    if request:
        request = os.path.basename(request)
        files.append(request)
    else:
        request = os.path.join(scratch, "request")
        with open(request, "w") as file:
            file.write("input name=input\noutput name=output\n")
    status, errors = run(options, ["--request=" + request, config], directory)
    if status != 1:
        raise Failed(f"exit status {status}: {errors.strip()}")
    first = errors.split("\n")[0]
    match = re.match(r"(.*?):\d+:\d+: error: ", first)
    if not match or match.group(1) not in files or "is not given" in first:
        raise Failed("unexpected message: " + first)


def run_case(options, kind, directory, case):
    name = case["name"]
    try:
        unsupported = set(case.get("components", ())) - COMPONENTS
        if unsupported:
            raise Skipped(", ".join(sorted(unsupported)))
        with tempfile.TemporaryDirectory() as scratch:
            kind(options, directory, case, scratch)
        return "passed", name, ""
    except Failed as error:
        return "failed", name, str(error)
    except subprocess.TimeoutExpired:
        return "failed", name, "timed out"
    except Skipped as error:
        return "skipped", name, str(error)


def model_components(directory, case):
    """Component types of a command line's model."""
    path = os.path.join(directory, case["working_directory"], case["model"])
    with open(path, "rb") as file:
        types = re.findall(rb"<(\w+Component)>", file.read())
    return sorted({name.decode() for name in types})


def find_cases(root):
    """(function, directory, case) of everything below `root`."""
    for directory, folders, files in sorted(os.walk(root)):
        folders.sort()
        if "errors.json" in files:
            with open(os.path.join(directory, "errors.json")) as file:
                for case in json.load(file):
                    case["name"] = "errors/" + case["name"]
                    yield run_error, directory, case
        if "case.json" not in files:
            continue
        with open(os.path.join(directory, "case.json")) as file:
            case = json.load(file)
        family = case["family"]
        case["name"] = family + "/" + case["name"]
        if family == "looped":
            continue
        if family == "cli":
            case["components"] = model_components(directory, case)
            yield run_cli, directory, case
        else:
            yield run_request, directory, case


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("directory")
    parser.add_argument("--nnet3-run", required=True)
    parser.add_argument("--filter", default="", help="regular expression")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    options.nnet3_run = os.path.abspath(options.nnet3_run)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    cases = [
        case
        for case in find_cases(options.directory)
        if re.search(options.filter, case[2]["name"])
    ]
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for outcome, name, detail in pool.map(
            lambda case: run_case(options, *case), cases
        ):
            counts[outcome] += 1
            if outcome == "failed" or options.verbose:
                print(f"{outcome}: {name}" + (f": {detail}" if detail else ""))
    print(", ".join(f"{count} {outcome}" for outcome, count in counts.items()))
    return 1 if counts["failed"] or not counts["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
