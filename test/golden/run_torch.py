#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads ONNX models that PyTorch exported as networks of nnet3, and compares what
both compute.

    run_torch.py --bin=build/bin [--venv=DIR] SAVED

The folders in SAVED have models with an input and PyTorch's output. Then, where
PyTorch is installed, each network of torch_networks.py is exported with free
numbers of sequences and frames, and with the numbers that it is tried with. Two
sequences are computed at the times that the frames of PyTorch's output have.
Where the environment DIR of run_exports.py exists, the network is also written
as ONNX again and computed by ONNX Runtime. Prints 'N passed, M failed'; exit
status 77 where PyTorch is not installed and nothing failed.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

import numpy

from kaldi_files import read_matrix

try:
    import torch
    import torch_networks
except ImportError:
    torch = None

SEQUENCES, FRAMES = 2, 40
TOLERANCE = 1e-5


def run(*command):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if result.returncode != 0:
        raise RuntimeError(f"exit {result.returncode}: {result.stderr.strip()}")


def write_matrix(path, matrix):
    lines = "\n".join(" ".join(map(repr, row)) for row in matrix.tolist())
    path.write_text(f"[\n{lines} ]\n")


def write_request(scratch, frames, outputs, first, step):
    path = scratch / "request.txt"
    path.write_text(f"""input name=input n=0:{SEQUENCES - 1} t=0:{frames - 1}
output name=output n=0:{SEQUENCES - 1} t={first}:{first + (outputs - 1) * step}:{step}
""")
    return path


def compute(options, scratch, request, model, x):
    """What the network computes, the sequences below each other."""
    write_matrix(scratch / "x.txt", x)
    run(options.bin / "nnet3-run", f"--request={request}", f"--input=input={scratch}/x.txt",
        f"--output=output={scratch}/y.mat",
        model)
    return read_matrix(scratch / "y.mat")


COMPUTE_ONNX = """
import numpy, onnxruntime, sys
folder = sys.argv[1]
session = onnxruntime.InferenceSession(folder + "/again.onnx", providers=["CPUExecutionProvider"])
numpy.save(folder + "/y.npy", session.run(None, {"input": numpy.load(folder + "/x.npy")[None]})[0][0])
"""


def compute_again(options, scratch, request, model, x):
    """The same by ONNX Runtime, from the network as ONNX."""
    run(options.bin / "nnet3-compile", "--emit=network", f"--request={request}", "-o", scratch / "again.mlir", model)
    run(options.bin / "nnet3-translate", "--mlir-to-onnx", scratch / "again.mlir", "-o", scratch / "again.onnx")
    numpy.save(scratch / "x.npy", x)
    run(options.venv / "bin/python3", "-c", COMPUTE_ONNX, scratch)
    return numpy.load(scratch / "y.npy")


def check(options, scratch, onnx, x, y, *times):
    """Compares; `x` and `y` have the sequences below each other."""
    model = scratch / "model.raw"
    run(options.bin / "nnet3-translate", "--onnx-to-raw", onnx, "-o", model)
    request = write_request(scratch, len(x) // SEQUENCES, len(y) // SEQUENCES, *times)
    for form in [compute] + ([compute_again] if options.venv and options.venv.exists() else []):
        difference = numpy.abs(form(options, scratch, request, model, x) - y).max()
        if not difference <= TOLERANCE:
            raise RuntimeError(f"{form.__name__}: the largest difference is {difference}")


def check_saved(options, scratch, folder):
    case = json.loads((folder / "case.json").read_text())
    x, y = (read_matrix(folder / name).astype("f4") for name in ("x.txt", "y.txt"))
    check(options, scratch, folder / "model.onnx", x, y, case["first"], case["step"])


def check_exported(options, scratch, description, is_free):
    make, columns_first, first, step = description
    torch.manual_seed(1)
    network = make().eval()
    x = torch.randn(SEQUENCES, FRAMES, torch_networks.DIM)
    given = x.transpose(1, 2) if columns_first else x
    axes = {0: "batch", (2 if columns_first else 1): "time"}
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        torch.onnx.export(network, given, scratch / "model.onnx", input_names=["x"], output_names=["y"],
                          opset_version=17, dynamic_axes={"x": axes, "y": axes} if is_free else None)
        y = network(given)
    y = (y.transpose(1, 2) if columns_first else y).numpy()
    check(options, scratch, scratch / "model.onnx", x.numpy().reshape(-1, x.shape[2]), y.reshape(-1, y.shape[2]), first,
          step)


def find_cases(options):
    """Pairs of a name and a function of a folder."""
    for folder in sorted(path.parent for path in options.saved.glob("*/case.json")):
        yield folder.name, lambda scratch: check_saved(options, scratch, folder)
    if torch is None:
        return
    for name, description in torch_networks.NETWORKS.items():
        for is_free in True, False:
            yield (f"{name}, {'free' if is_free else 'known'} sizes",
                   lambda scratch: check_exported(options, scratch, description, is_free))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--venv", type=pathlib.Path)
    parser.add_argument("saved", type=pathlib.Path)
    options = parser.parse_args()
    passed = failed = 0
    for name, function in find_cases(options):
        with tempfile.TemporaryDirectory() as scratch:
            try:
                function(pathlib.Path(scratch))
                passed += 1
            except Exception as error:
                print(f"failed: {name}: {error}", flush=True)
                failed += 1
    print(f"{passed} passed, {failed} failed")
    if failed or not passed:
        return 1
    return 0 if torch else 77


if __name__ == "__main__":
    sys.exit(main())
