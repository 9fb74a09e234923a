#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exports networks of PyTorch to ONNX, reads them as networks of nnet3, and
compares what both compute.

    run_torch.py --bin=build/bin [--venv=DIR]

Each network is exported with free numbers of sequences and frames, and with the
numbers that it is tried with. Two sequences are computed at the times that the
frames of PyTorch's output have. Where the environment DIR of run_exports.py
exists, the network is also written as ONNX again and computed by ONNX Runtime.
Prints 'N passed, M failed'; exit status 77 where PyTorch is not installed.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile
import warnings

import numpy

try:
    import torch
    from torch import nn
except ImportError:
    sys.exit(77)

from kaldi_files import read_matrix

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "examples/onnx"))
import export

SEQUENCES, FRAMES, DIM = 2, 40, 20
TOLERANCE = 1e-5


class Norm(nn.BatchNorm1d):
    """With moments as after training."""

    def __init__(self, dim, **options):
        super().__init__(dim, **options)
        self.running_mean.uniform_(-0.5, 0.5)
        self.running_var.uniform_(0.5, 2)
        if self.affine:
            nn.init.uniform_(self.weight, 0.5, 1.5)
            nn.init.uniform_(self.bias, -0.3, 0.3)


class Tdnn(nn.Module):
    """Layers over frames; each loses its context, or keeps the number of frames
    with zeros."""

    def __init__(self, padded=False, stride=1):
        super().__init__()
        layers, dim = [], DIM
        for kernel, dilation in (5, 1), (3, 1), (3, 3):
            padding = dilation * (kernel - 1) // 2 if padded else 0
            layers += [nn.Conv1d(dim, 24, kernel, dilation=dilation, padding=padding,
                                 stride=stride if kernel == 5 else 1), nn.ReLU(), Norm(24)]
            dim = 24
        self.layers = nn.Sequential(*layers)
        self.output = nn.Linear(24, 8)

    def forward(self, x):
        x = self.layers(x.transpose(1, 2)).transpose(1, 2)
        return torch.log_softmax(self.output(x), -1)


class FactorizedLayer(nn.Module):
    def __init__(self, dim, bottleneck, step):
        super().__init__()
        self.linear = nn.Conv1d(dim, bottleneck, 2, dilation=step, bias=False)
        self.affine = nn.Conv1d(bottleneck, dim, 2, dilation=step)
        self.norm = Norm(dim, affine=False)
        self.step = step

    def forward(self, x):
        y = self.norm(torch.relu(self.affine(self.linear(x))))
        return y + 0.66 * x[:, :, self.step : -self.step]


class Tdnnf(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(DIM, 32)
        self.layers = nn.Sequential(*(FactorizedLayer(32, 8, step) for step in (1, 1, 3)))
        self.prefinal = nn.Conv1d(32, 16, 1, bias=False)
        self.output = nn.Linear(16, 8)

    def forward(self, x):
        x = self.layers(torch.relu(self.first(x)).transpose(1, 2))
        return self.output(self.prefinal(x).transpose(1, 2))


class Lstm(nn.Module):
    def __init__(self, bidirectional=False, batch_first=True):
        super().__init__()
        self.lstm = nn.LSTM(DIM, 16, num_layers=2, batch_first=batch_first, bidirectional=bidirectional)
        self.output = nn.Linear(32 if bidirectional else 16, 8)
        self.batch_first = batch_first

    def forward(self, x):
        if not self.batch_first:
            x = x.transpose(0, 1)
        y, _ = self.lstm(x)
        if not self.batch_first:
            y = y.transpose(0, 1)
        return torch.softmax(self.output(y), -1)


class ConvolutionalLstm(nn.Module):
    """A context, a subsampling and a recurrence."""

    def __init__(self):
        super().__init__()
        self.convolution = nn.Conv1d(DIM, 16, 3, stride=3)
        self.lstm = nn.LSTM(16, 16, batch_first=True)

    def forward(self, x):
        x = torch.tanh(self.convolution(x.transpose(1, 2)))
        return self.lstm(x.transpose(1, 2))[0]


class Gated(nn.Module):
    """Columns that are split, multiplied, scaled and appended."""

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(DIM, 32, bias=False)
        self.scale = nn.Parameter(torch.rand(16))

    def forward(self, x):
        gate, value = self.first(x).split(16, dim=-1)
        y = torch.sigmoid(gate) * torch.tanh(value) * self.scale
        return torch.cat([y[:, :, 2:10] / 3 + 0.5, 1 - x, x[..., 3:7] - 0.25 * y[..., :4]], dim=-1)


class Causal(nn.Module):
    """Zeros in front of the first frame only."""

    def __init__(self):
        super().__init__()
        self.convolution = nn.Conv1d(DIM, 16, 3, dilation=2)
        self.output = nn.Conv1d(16, 8, 3)

    def forward(self, x):
        x = torch.relu(self.convolution(nn.functional.pad(x, (4, 0))))
        return self.output(nn.functional.pad(x, (2, 0)))


# The network, whether columns come before frames, and the times of the output's
# frames: the first one, and the distance.
NETWORKS = {
    "example": (export.Tdnn, False, 0, 1),
    "tdnn": (Tdnn, False, 6, 1),
    "tdnn-padded": (lambda: Tdnn(padded=True), False, 0, 1),
    "tdnn-subsampled": (lambda: Tdnn(stride=2), False, 10, 2),
    "tdnn-padded-subsampled": (lambda: Tdnn(padded=True, stride=3), False, 0, 3),
    "tdnnf": (Tdnnf, False, 5, 1),
    "lstm": (Lstm, False, 0, 1),
    "lstm-frames-first": (lambda: Lstm(batch_first=False), False, 0, 1),
    "blstm": (lambda: Lstm(bidirectional=True), False, 0, 1),
    "convolution-lstm": (ConvolutionalLstm, False, 1, 3),
    "gated": (Gated, False, 0, 1),
    "causal": (Causal, True, 0, 1),
}


def run(*command):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if result.returncode != 0:
        raise RuntimeError(f"exit {result.returncode}: {result.stderr.strip()}")


def write_request(scratch, rows, first, step):
    path = scratch / "request.txt"
    path.write_text(f"""input name=x n=0:{SEQUENCES - 1} t=0:{FRAMES - 1}
output name=y n=0:{SEQUENCES - 1} t={first}:{first + (rows - 1) * step}:{step}
""")
    return path


def compute(options, scratch, request, model, x):
    """What the network computes, the sequences below each other."""
    lines = "\n".join(" ".join(map(repr, row)) for row in x.reshape(-1, DIM).tolist())
    (scratch / "x.txt").write_text(f"[\n{lines} ]\n")
    run(options.bin / "nnet3-run", f"--request={request}", f"--input=x={scratch}/x.txt", f"--output=y={scratch}/y.mat",
        model)
    return read_matrix(scratch / "y.mat")


COMPUTE_ONNX = """
import numpy, onnxruntime, sys
folder = sys.argv[1]
session = onnxruntime.InferenceSession(folder + "/again.onnx", providers=["CPUExecutionProvider"])
x = numpy.load(folder + "/x.npy")
numpy.save(folder + "/y.npy", session.run(None, {"x": x.reshape(1, -1, x.shape[-1])})[0])
"""


def compute_again(options, scratch, request, model, x):
    """The same by ONNX Runtime, from the network as ONNX."""
    run(options.bin / "nnet3-compile", "--emit=network", f"--request={request}", "-o", scratch / "again.mlir", model)
    run(options.bin / "nnet3-translate", "--mlir-to-onnx", scratch / "again.mlir", "-o", scratch / "again.onnx")
    numpy.save(scratch / "x.npy", x)
    run(options.venv / "bin/python3", "-c", COMPUTE_ONNX, scratch)
    return numpy.load(scratch / "y.npy")


def check(options, scratch, make, columns_first, first, step, is_free):
    torch.manual_seed(1)
    network = make().eval()
    x = torch.randn(SEQUENCES, FRAMES, DIM)
    given = x.transpose(1, 2) if columns_first else x
    axes = {0: "batch", (2 if columns_first else 1): "time"}
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        torch.onnx.export(network, given, scratch / "model.onnx", input_names=["x"], output_names=["y"],
                          opset_version=17, dynamic_axes={"x": axes, "y": axes} if is_free else None)
        expected = network(given)
    expected = (expected.transpose(1, 2) if columns_first else expected).numpy()
    model = scratch / "model.raw"
    run(options.bin / "nnet3-translate", "--onnx-to-raw", scratch / "model.onnx", "-o", model)
    request = write_request(scratch, expected.shape[1], first, step)
    for form in [compute] + ([compute_again] if options.venv and options.venv.exists() else []):
        actual = form(options, scratch, request, model, x.numpy())
        difference = numpy.abs(actual.reshape(expected.shape) - expected).max()
        if not difference <= TOLERANCE:
            raise RuntimeError(f"{form.__name__}: the largest difference is {difference}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--venv", type=pathlib.Path)
    options = parser.parse_args()
    passed = failed = 0
    for name, description in NETWORKS.items():
        for is_free in True, False:
            with tempfile.TemporaryDirectory() as scratch:
                try:
                    check(options, pathlib.Path(scratch), *description, is_free)
                    passed += 1
                except Exception as error:
                    print(f"failed: {name}, {'free' if is_free else 'known'} sizes: {error}", flush=True)
                    failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
