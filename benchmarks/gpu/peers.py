# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The networks tdnnf and lstmp of benchmarks/networks, in PyTorch.

Inputs are frames, (sequences, frames, 40), and an i-vector for each sequence,
(sequences, 100); the output has a row for every third frame. `layout` says how
layers see several frames: "linear" puts rows side by side and multiplies once,
"conv" has the frames innermost and convolves.
"""
import torch
from torch import nn
from torch.nn import functional

SUBSAMPLING = 3


def _parameter(values):
    return nn.Parameter(torch.from_numpy(values), requires_grad=False)


class Affine(nn.Module):
    """An affine layer of the frames at `offsets` from each, at every
    `stride`-th frame; frames without all of them have no output."""

    def __init__(self, weight, bias, offsets=(0,), stride=1, layout="linear"):
        super().__init__()
        self.begin = offsets[0]
        self.distance = offsets[1] - offsets[0] if len(offsets) > 1 else 1
        self.count = len(offsets)
        self.stride = stride
        self.is_conv = layout == "conv"
        rows, cols = weight.shape
        if self.is_conv:
            taps = weight.reshape(rows, self.count, cols // self.count)
            weight = taps.transpose(0, 2, 1).copy()
        self.weight = _parameter(weight)
        self.bias = None if bias is None else _parameter(bias)

    def forward(self, x):
        if self.is_conv:
            return functional.conv1d(
                x,
                self.weight,
                self.bias,
                stride=self.stride,
                dilation=self.distance,
            )
        span = (self.count - 1) * self.distance
        last = x.shape[1] - span
        parts = [
            x[:, k * self.distance : k * self.distance + last : self.stride]
            for k in range(self.count)
        ]
        x = parts[0] if self.count == 1 else torch.cat(parts, dim=2)
        return functional.linear(x, self.weight, self.bias)


class BatchNorm(nn.Module):
    """In test mode: a scale and an offset for each column."""

    def __init__(self, weights, component, layout="linear"):
        super().__init__()
        scale, offset = weights.batch_norm(component)
        if layout == "conv":
            scale, offset = scale[:, None], offset[:, None]
        self.scale, self.offset = _parameter(scale), _parameter(offset)

    def forward(self, x):
        return torch.addcmul(self.offset, x, self.scale)


class FactoredLayer(nn.Module):
    """Layer `number` of the TDNN-F, which looks `distance` frames to each side;
    its output has every `stride`-th frame."""

    def __init__(self, weights, number, distance, stride, layout):
        super().__init__()
        name = f"tdnnf{number}"
        back = (-distance, 0) if distance else (0,)
        ahead = (0, distance) if distance else (0,)
        self.linear = Affine(
            weights.matrix(f"{name}.linear", "LinearParams"),
            None,
            back,
            layout=layout,
        )
        self.affine = Affine(
            weights.matrix(f"{name}.affine", "LinearParams"),
            weights.vector(f"{name}.affine", "BiasParams"),
            ahead,
            stride,
            layout,
        )
        self.norm = BatchNorm(weights, f"{name}.batchnorm", layout)
        self.distance, self.stride = distance, stride
        self.axis = 2 if layout == "conv" else 1

    def forward(self, x):
        y = self.norm(functional.relu(self.affine(self.linear(x))))
        frames = slice(self.distance, x.shape[self.axis] - self.distance)
        rows = range(x.shape[self.axis])[frames][:: self.stride]
        step = slice(rows.start, rows.stop, rows.step)
        bypass = x[:, :, step] if self.axis == 2 else x[:, step]
        return y + 0.66 * bypass


class Tdnnf(nn.Module):
    """Reads 41 frames more on each side than it has outputs for."""

    LEFT, RIGHT = 41, 41
    LAYERS = {4: (1, SUBSAMPLING), 5: (0, 1)}

    def __init__(self, weights, layout="linear"):
        super().__init__()
        self.is_conv = layout == "conv"
        self.input = Affine(
            weights.matrix("tdnn1.affine", "LinearParams"),
            weights.vector("tdnn1.affine", "BiasParams"),
        )
        self.norm = BatchNorm(weights, "tdnn1.batchnorm")
        layers = []
        for number in range(2, 18):
            # Behind the fourth layer only every third frame is there.
            distance, stride = self.LAYERS.get(number, (1, 1))
            layers.append(
                FactoredLayer(weights, number, distance, stride, layout)
            )
        self.layers = nn.Sequential(*layers)
        self.prefinal = nn.Sequential(
            Affine(weights.matrix("prefinal-l", "Params"), None),
            Affine(
                weights.matrix("prefinal1.affine", "LinearParams"),
                weights.vector("prefinal1.affine", "BiasParams"),
            ),
            nn.ReLU(),
            BatchNorm(weights, "prefinal1.batchnorm"),
            Affine(weights.matrix("prefinal1.linear", "Params"), None),
            BatchNorm(weights, "prefinal2.batchnorm"),
            Affine(
                weights.matrix("output.affine", "LinearParams"),
                weights.vector("output.affine", "BiasParams"),
            ),
        )

    def forward(self, frames, ivector):
        x = self.norm(functional.relu(self.input(_splice(frames, ivector))))
        if self.is_conv:
            x = self.layers(x.transpose(1, 2).contiguous()).transpose(1, 2)
        else:
            x = self.layers(x)
        return self.prefinal(x)


class LstmLayer(nn.Module):
    """An LSTM with projection and peepholes. The part of the gates that does
    not depend on the step before is multiplied for all steps at once."""

    def __init__(self, weights, name):
        super().__init__()
        matrix = weights.matrix(f"{name}.W_all", "LinearParams")
        self.projection = _parameter(
            weights.matrix(f"{name}.W_rp", "LinearParams")
        )
        self.projection_bias = _parameter(
            weights.vector(f"{name}.W_rp", "BiasParams")
        )
        self.peepholes = _parameter(
            weights.matrix(f"{name}.lstm_nonlin", "Params")
        )
        self.recurrent_dim = len(self.projection) // 2
        inputs = matrix.shape[1] - self.recurrent_dim
        self.input = _parameter(matrix[:, :inputs].copy())
        self.recurrent = _parameter(matrix[:, inputs:].copy())
        self.bias = _parameter(weights.vector(f"{name}.W_all", "BiasParams"))

    def step(self, gates, r, c):
        """What a step gives, and its cell."""
        w_i, w_f, w_o = self.peepholes
        sums = torch.addmm(gates, r, self.recurrent.t())
        i, f, g, o = sums.chunk(4, dim=1)
        i, f = torch.sigmoid(i + w_i * c), torch.sigmoid(f + w_f * c)
        c = f * c + i * torch.tanh(g)
        m = torch.sigmoid(o + w_o * c) * torch.tanh(c)
        return functional.linear(m, self.projection, self.projection_bias), c

    def forward(self, x):
        gates = functional.linear(x, self.input, self.bias)
        c = x.new_zeros(len(x), self.peepholes.shape[1])
        r = x.new_zeros(len(x), self.recurrent_dim)
        outputs = []
        for t in range(x.shape[1]):
            y, c = self.step(gates[:, t], r, c)
            r = y[:, : self.recurrent_dim]
            outputs.append(y)
        return torch.stack(outputs, dim=1)


class Lstmp(nn.Module):
    """Three LSTMs, which look back three frames and begin 40 frames early."""

    LEFT, RIGHT = 42, 2

    def __init__(self, weights, layout="linear"):
        super().__init__()
        self.splice = Affine(weights.matrix("splice", "Params"), None)
        self.lstms = nn.Sequential(
            *(LstmLayer(weights, f"lstm{k}") for k in (1, 2, 3))
        )
        self.output = Affine(
            weights.matrix("output.affine", "LinearParams"),
            weights.vector("output.affine", "BiasParams"),
        )

    def forward(self, frames, ivector):
        # The first row is at t = -40; recurrences begin at t = -39.
        x = _splice(frames, ivector)[:, 1::SUBSAMPLING]
        x = self.lstms(self.splice(x))[:, 13:]
        return torch.log_softmax(self.output(x), dim=2)


def _splice(frames, ivector):
    """Five neighbouring frames and the i-vector of the sequence."""
    count = frames.shape[1] - 4
    parts = [frames[:, k : k + count] for k in range(5)]
    return torch.cat(parts + [ivector[:, None].expand(-1, count, -1)], dim=2)


NETWORKS = {"tdnnf": Tdnnf, "lstmp": Lstmp}
LAYOUTS = {"tdnnf": ("linear", "conv"), "lstmp": ("linear",)}
