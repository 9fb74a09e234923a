# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks of PyTorch, as people write them."""
import pathlib
import sys

import torch
from torch import nn

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "examples/onnx"))
import export

DIM = 20


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
