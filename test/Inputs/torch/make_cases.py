#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the folders beside this script, with PyTorch's exporter by torch.export,
the default since PyTorch 2.9, which needs the packages onnx and onnxscript. The
test that reads them does not need PyTorch."""
import json
import pathlib
import sys

import onnx
import torch
from torch import nn

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "golden"))
from torch_networks import FactorizedLayer, Norm


class Lstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.convolution = nn.Conv1d(4, 3, 3, stride=2)
        self.lstm = nn.LSTM(3, 3, num_layers=2, batch_first=True, bidirectional=True)
        self.output = nn.Linear(6, 2)

    def forward(self, x):
        x = torch.tanh(self.convolution(x.transpose(1, 2))).transpose(1, 2)
        return torch.log_softmax(self.output(self.lstm(x)[0]), -1)


class Factorized(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 6)
        self.layer = FactorizedLayer(6, 2, 1)
        self.norm = Norm(6)

    def forward(self, x):
        return self.norm(self.layer(torch.relu(self.first(x)).transpose(1, 2))).transpose(1, 2)


class Gated(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv1d(4, 8, 3, padding=1)
        self.scale = nn.Parameter(torch.rand(4))

    def forward(self, x):
        gate, value = self.first(x.transpose(1, 2)).transpose(1, 2).split(4, dim=-1)
        y = torch.sigmoid(gate) * torch.tanh(value) * self.scale
        return torch.cat([y[:, :, 1:3] / 3 + 0.5, 1 - x, x - 0.25 * y], dim=-1)


# The network, and the times of the output's frames: the first, and the distance.
NETWORKS = {"lstm": (Lstm, 1, 2), "factorized": (Factorized, 1, 1), "gated": (Gated, 0, 1)}


def strip(path):
    """Leaves out where the nodes come from."""
    model = onnx.load(path)
    graph = model.graph
    for part in (model, graph, *graph.node, *graph.input, *graph.output, *graph.initializer):
        del part.metadata_props[:]
    for node in graph.node:
        node.doc_string = ""
    del graph.value_info[:]
    onnx.save(model, path)


def write_matrix(path, rows):
    lines = "\n".join(" ".join(f"{x:.9g}" for x in row) for row in rows.tolist())
    path.write_text(f"[\n{lines} ]\n")


def main():
    free = torch.export.Dim.DYNAMIC
    for name, (make, first, step) in NETWORKS.items():
        folder = HERE / name
        folder.mkdir(exist_ok=True)
        torch.manual_seed(1)
        network = make().eval()
        x = torch.randn(2, 9, 4)
        torch.onnx.export(network, (x,), folder / "model.onnx", input_names=["x"], output_names=["y"],
                          external_data=False, dynamic_shapes=({0: free, 1: free},))
        strip(folder / "model.onnx")
        with torch.no_grad():
            y = network(x)
        write_matrix(folder / "x.txt", x.flatten(0, 1))
        write_matrix(folder / "y.txt", y.flatten(0, 1))
        case = {"first": first, "step": step, "exporter": "PyTorch " + torch.__version__.split("+")[0]}
        (folder / "case.json").write_text(json.dumps(case) + "\n")


if __name__ == "__main__":
    main()
