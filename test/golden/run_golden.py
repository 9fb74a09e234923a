#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs nnet3-run on reference cases and compares the results.

    run_golden.py --nnet3-run=build/bin/nnet3-run DIRECTORY

DIRECTORY holds cases: folders with a case.json that names the model, the
request or command line, and the expected matrices and models, and errors.json
files that list what must be rejected. An output is right if each value differs
from the expected one by at most 1e-4 + 1e-4 * |expected|, a derivative or
gradient if its relative root mean square error is at most 1e-3, or the case's
own tolerance where that is wider. Prints 'N passed, M failed, K skipped'; exit
status 1 if any failed.
"""
import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

import numpy

import compare
import kaldi_files
from compare import Failed

# Cases with other components are skipped, and counted as such.
COMPONENTS = {
    name + "Component"
    for name in (
        "NaturalGradientAffine Affine Linear FixedAffine Tdnn BatchNorm "
        "RectifiedLinear Sigmoid Tanh Softmax LogSoftmax Normalize NoOp "
        "Dropout GeneralDropout SpecAugmentTimeMask ElementwiseProduct "
        "SumBlock SumGroup Permute ClipGradient BackpropTruncation FixedScale "
        "FixedBias PerElementScale NaturalGradientPerElementScale "
        "PerElementOffset ScaleAndOffset LstmNonlinearity BlockAffine "
        "Constant ConstantFunction Convolution DropoutMask GruNonlinearity "
        "Maxpooling NaturalGradientRepeatedAffine OutputGruNonlinearity Pnorm "
        "RepeatedAffine Distribute StatisticsExtraction "
        "StatisticsPooling TimeHeightConvolution RestrictedAttention Composite"
    ).split()
}


class Skipped(Exception):
    """The case is about something that is not there yet."""


# ---- Cases ------------------------------------------------------------------


def run(options, arguments, directory):
    """Runs nnet3-run; its exit status and error output."""
    result = subprocess.run(
        [options.nnet3_run, "--print-args=false"]
        + options.run_option
        + arguments,
        cwd=directory,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=600,
    )
    return result.returncode, result.stderr.decode(errors="replace")


def load_model(options, path):
    """A raw model, by way of MLIR if it is binary."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:2] == b"\0B":
        for arguments in ("--raw-to-mlir", "--mlir-to-raw --binary=false"):
            data = subprocess.run(
                [options.nnet3_translate] + arguments.split(),
                input=data,
                stdout=subprocess.PIPE,
                check=True,
            ).stdout
    return kaldi_files.parse_model(data.decode())


def tolerance_of(case, kind, node):
    return case.get("tol", {}).get(kind, {}).get(node, {}).get("tol", 0)


def compare_outputs(case, outputs):
    """`outputs`: of each, its entry in the case, and two files."""
    for entry, actual, expected in outputs:
        compare.compare(
            entry["node"],
            kaldi_files.read_matrix(actual),
            kaldi_files.read_matrix(expected),
            tolerance_of(case, "output", entry["node"]),
            entry.get("ignore_columns", ()),
        )


def compare_derivatives(case, derivatives):
    """The same for the derivatives of inputs."""
    pairs = []
    for entry, *files in derivatives:
        # Columns that the reference leaves undefined.
        ignore = entry.get("ignore_columns", ())
        pairs.append(
            [
                numpy.delete(kaldi_files.read_matrix(file), ignore, axis=1)
                for file in files
            ]
        )
    if not pairs:
        return
    scale = compare.rms(numpy.concatenate([b.ravel() for _, b in pairs]))
    for (entry, *_), (actual, expected) in zip(derivatives, pairs):
        compare.compare_tensor(
            "derivative of " + entry["node"],
            actual,
            expected,
            tolerance_of(case, "inderiv", entry["node"]),
            scale,
        )


# Options of nnet3-run by the kind of a case's file.
READ = {"input": "--input", "outderiv": "--output-deriv"}
WRITTEN = {"output": "--output", "inderiv": "--input-deriv"}


def forward_part(case):
    """The case without derivatives and statistics."""
    files = [
        entry
        for entry in case["files"]
        if entry["kind"] in ("input", "output")
    ]
    dropped = ("gradient", "stats_deterministic")
    rest = {key: case[key] for key in case if key not in dropped}
    return {**rest, "files": files}


def run_request(options, directory, case, scratch):
    """One computation: outputs, derivatives, gradient and statistics, as far as
    this copy of the case has them."""
    if options.forward:
        case = forward_part(case)
    # The reference computes requests in the mode that the model has.
    arguments = ["--request=" + case["request"], "--binary=false"]
    arguments.append("--train-mode")
    written = {kind: [] for kind in WRITTEN}
    for entry in case["files"]:
        kind, node, file = entry["kind"], entry["node"], entry["file"]
        expected = os.path.join(directory, file)
        if not os.path.exists(expected):
            continue
        if kind in WRITTEN:
            path = os.path.join(scratch, kind + "." + node)
            written[kind].append((entry, path, expected))
            arguments.append(f"{WRITTEN[kind]}={node}={path}")
        else:
            arguments.append(f"{READ[kind]}={node}={file}")
    models = {}
    wanted = {"gradient": "--model-deriv"}
    if case.get("stats_deterministic"):
        wanted["stats"] = "--model-stats"
    for key, option in wanted.items():
        expected = os.path.join(directory, case.get(key, ""))
        if os.path.isfile(expected):
            path = os.path.join(scratch, key)
            models[key] = (path, expected)
            arguments.append(f"{option}={path}")
    status, errors = run(options, arguments + [case["model"]], directory)
    if status != 0:
        raise Failed(f"exit status {status}: {errors.strip()}")
    compare_outputs(case, written["output"])
    compare_derivatives(case, written["inderiv"])
    if "gradient" in models:
        actual, expected = (load_model(options, p) for p in models["gradient"])
        compare.compare_gradient(actual, expected, case)
    if "stats" in models:
        path, expected = models["stats"]
        compare.compare_statistics(
            load_model(options, path), kaldi_files.read_statistics(expected)
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
    actual = kaldi_files.read_text_archive(output)
    path = os.path.join(directory, case["output"])
    expected = kaldi_files.read_text_archive(path)
    if list(actual) != list(expected):
        raise Failed(f"keys {list(actual)}, expected {list(expected)}")
    for key, matrix in expected.items():
        tolerance = tolerance_of(case, "output", "output")
        compare.compare(key, actual[key], matrix, tolerance)


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
    parser.add_argument(
        "--nnet3-translate", help="beside nnet3-run unless given"
    )
    parser.add_argument(
        "--run-option",
        action="append",
        default=[],
        help="one more option of nnet3-run",
    )
    parser.add_argument(
        "--forward",
        action="store_true",
        help="leave derivatives and statistics out",
    )
    parser.add_argument("--filter", default="", help="regular expression")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    options.nnet3_run = os.path.abspath(options.nnet3_run)
    options.nnet3_translate = options.nnet3_translate or os.path.join(
        os.path.dirname(options.nnet3_run), "nnet3-translate"
    )
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
