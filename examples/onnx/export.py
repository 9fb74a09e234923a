#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a small TDNN of PyTorch, with random weights, to model.onnx: the file
beside this script."""
import pathlib

import torch
from torch import nn


class Tdnn(nn.Module):
    """From sequences x frames x 20 features to as many rows of 12 posteriors."""

    def __init__(self):
        super().__init__()
        self.tdnn1 = nn.Conv1d(20, 32, 5, padding=2)
        self.norm1 = nn.BatchNorm1d(32)
        self.tdnn2 = nn.Conv1d(32, 32, 3, dilation=3, padding=3)
        self.norm2 = nn.BatchNorm1d(32)
        self.lstm = nn.LSTM(32, 16, batch_first=True)
        self.output = nn.Linear(16, 12)

    def forward(self, x):
        x = x.transpose(1, 2)
        x = self.norm1(torch.relu(self.tdnn1(x)))
        x = self.norm2(torch.relu(self.tdnn2(x)))
        x, _ = self.lstm(x.transpose(1, 2))
        return torch.log_softmax(self.output(x), -1)


def main():
    torch.manual_seed(0)
    axes = {0: "batch", 1: "time"}
    torch.onnx.export(Tdnn().eval(), torch.randn(2, 50, 20), str(pathlib.Path(__file__).with_name("model.onnx")),
                      input_names=["x"], output_names=["y"], dynamic_axes={"x": axes, "y": axes}, opset_version=17)


if __name__ == "__main__":
    main()
