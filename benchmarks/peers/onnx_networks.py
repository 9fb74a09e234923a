# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The networks tdnn, tdnnf and cnn of benchmarks/networks as ONNX models.

Inputs are `input`, (sequences, frames, 40), and `ivector`, (sequences, 100);
the output has a row for every third frame. Each layer computes only the frames
that later layers read. A form says how layers see several frames: "conv"
convolves with the frames innermost, "matmul" puts rows side by side and
multiplies.
"""
import numpy
import onnx
from onnx import helper, numpy_helper

OPSET = 17
INPUT_DIM, IVECTOR_DIM = 40, 100
# How far the first layer looks to each side.
SPLICE = 2


class Graph:
    """Nodes of an ONNX graph. Values are names; `rows` counts the frames of each
    sequence in the value that was made last."""

    def __init__(self, frames):
        self.rows = frames
        self.nodes, self.constants = [], []

    def add(self, kind, *inputs, **attributes):
        output = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def constant(self, values):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(values, name))
        return name

    def slice(self, value, axis, begin, end, step=1):
        """`end` counts from the end, backwards."""
        bounds = [begin, -end if end else 2**31 - 1, axis, step]
        arrays = [self.constant(numpy.array([n], numpy.int64)) for n in bounds]
        return self.add("Slice", value, *arrays)

    def keep_rows(self, span, step):
        self.rows = (self.rows - span - 1) // step + 1


class MatMulLayout(Graph):
    """Values are (sequences, frames, columns)."""

    AXIS = 1

    def row(self, values):
        return self.constant(values)

    def begin(self, value):
        return value

    end = begin

    def affine(self, value, weight, bias=None, taps=1, distance=1, step=1):
        span = (taps - 1) * distance
        parts = [
            self.slice(value, 1, k * distance, span - k * distance, step)
            for k in range(taps)
        ]
        if taps > 1:
            value = self.add("Concat", *parts, axis=2)
        elif step > 1:
            value = parts[0]
        self.keep_rows(span, step)
        value = self.add("MatMul", value, self.constant(weight.T.copy()))
        return value if bias is None else self.add("Add", value, self.row(bias))


class ConvLayout(Graph):
    """Values are (sequences, columns, frames)."""

    AXIS = 2

    def row(self, values):
        return self.constant(values[:, None])

    def begin(self, value):
        return self.add("Transpose", value, perm=[0, 2, 1])

    end = begin

    def affine(self, value, weight, bias=None, taps=1, distance=1, step=1):
        self.keep_rows((taps - 1) * distance, step)
        kernel = weight.reshape(len(weight), taps, -1).transpose(0, 2, 1).copy()
        inputs = [value, self.constant(kernel)]
        if bias is not None:
            inputs.append(self.constant(bias))
        return self.add(
            "Conv",
            *inputs,
            kernel_shape=[taps],
            dilations=[distance],
            strides=[step],
        )


LAYOUTS = {"conv": ConvLayout, "matmul": MatMulLayout}
# The forms of each network.
FORMS = {"tdnn": ["conv", "matmul"], "tdnnf": ["conv", "matmul"], "cnn": ["conv"]}


class Builder:
    """Layers of Kaldi's recipes, with the parameters in `weights`."""

    def __init__(self, graph, weights):
        self.graph, self.weights = graph, weights

    def norm(self, value, component):
        scale, offset = map(self.graph.row, self.weights.batch_norm(component))
        return self.graph.add("Add", self.graph.add("Mul", value, scale), offset)

    def affine(self, value, component, **taps):
        weight = self.weights.matrix(component, "LinearParams")
        bias = self.weights.vector(component, "BiasParams")
        return self.graph.affine(value, weight, bias, **taps)

    def linear(self, value, component, token="Params", **taps):
        weight = self.weights.matrix(component, token)
        return self.graph.affine(value, weight, **taps)

    def relu_norm(self, value, name):
        return self.norm(self.graph.add("Relu", value), f"{name}.batchnorm")

    def first_layer(self, value=None):
        """Frames, or a value at each frame, and i-vector, which is multiplied once
        for each sequence."""
        graph = self.graph
        weight = self.weights.matrix("tdnn1.affine", "LinearParams")
        bias = self.weights.vector("tdnn1.affine", "BiasParams")
        taps = 2 * SPLICE + 1 if value is None else 1
        columns = weight.shape[1] - IVECTOR_DIM
        if value is None:
            value = graph.begin("input")
        frames = graph.affine(value, weight[:, :columns].copy(), taps=taps)
        ivector_weight = weight[:, columns:].T.copy()
        ivector = graph.add("MatMul", "ivector", graph.constant(ivector_weight))
        ivector = graph.add("Add", ivector, graph.constant(bias))
        axis = graph.constant(numpy.array([graph.AXIS], numpy.int64))
        ivector = graph.add("Unsqueeze", ivector, axis)
        return self.relu_norm(graph.add("Add", frames, ivector), "tdnn1")


def _make_tdnn(builder):
    value = builder.first_layer()
    for number, taps in {
        2: {"taps": 3},
        3: {"taps": 3, "step": 3},
        4: {"taps": 3},
        5: {"taps": 3},
        6: {"taps": 3},
    }.items():
        value = builder.affine(value, f"tdnn{number}.affine", **taps)
        value = builder.relu_norm(value, f"tdnn{number}")
    value = builder.graph.end(builder.affine(value, "output.affine"))
    return builder.graph.add("LogSoftmax", value, axis=2)


def _make_factored_layer(builder, value, number, distance, step):
    """Layer `number` of the TDNN-F, which looks `distance` frames to each side."""
    graph, name = builder.graph, f"tdnnf{number}"
    taps = 2 if distance else 1
    rows = builder.linear(value, f"{name}.linear", "LinearParams", taps=taps)
    rows = builder.affine(rows, f"{name}.affine", taps=taps, step=step)
    rows = builder.relu_norm(rows, name)
    if distance or step > 1:
        value = graph.slice(value, graph.AXIS, distance, distance, step)
    factor = graph.constant(numpy.array(0.66, numpy.float32))
    return graph.add("Add", graph.add("Mul", value, factor), rows)


def _make_tdnnf(builder):
    value = builder.first_layer()
    for number in range(2, 18):
        # Behind the fourth layer only every third frame is there.
        distance = 0 if number == 5 else 1
        step = 3 if number == 4 else 1
        value = _make_factored_layer(builder, value, number, distance, step)
    value = builder.linear(value, "prefinal-l")
    value = builder.affine(value, "prefinal1.affine")
    value = builder.relu_norm(value, "prefinal1")
    value = builder.linear(value, "prefinal1.linear")
    value = builder.norm(value, "prefinal2.batchnorm")
    return builder.graph.end(builder.affine(value, "output.affine"))


def _make_image_layer(builder, value, number, heights, step):
    """A convolution over frames and `heights` rows of an image. Values are
    (sequences, filters, frames, height)."""
    graph, weights, name = builder.graph, builder.weights, f"cnn{number}"
    weight = weights.matrix(f"{name}.conv", "LinearParams")
    kernel = weight.reshape(len(weight), 3, 3, -1).transpose(0, 3, 1, 2).copy()
    bias = graph.constant(weights.vector(f"{name}.conv", "BiasParams"))
    graph.keep_rows(2, step)
    value = graph.add(
        "Conv",
        value,
        graph.constant(kernel),
        bias,
        kernel_shape=[3, 3],
        strides=[step, heights],
        pads=[0, 1, 0, 1 if heights == 1 else 0],
    )
    scale, offset = weights.batch_norm(f"{name}.batchnorm")
    value = graph.add("Mul", graph.add("Relu", value), graph.constant(scale[:, None, None]))
    return graph.add("Add", value, graph.constant(offset[:, None, None]))


def _make_cnn(builder):
    graph = builder.graph
    axis = graph.constant(numpy.array([1], numpy.int64))
    value = graph.add("Unsqueeze", "input", axis)
    for number, heights in enumerate([1, 1, 2, 1, 2, 2], 1):
        # Of the last image, every third frame is read.
        value = _make_image_layer(builder, value, number, heights, 3 if number == 6 else 1)
    # A row has the filters of each height side by side: as columns,
    # (sequences, height, filters, frames).
    value = graph.add("Transpose", value, perm=[0, 3, 1, 2])
    shape = graph.constant(numpy.array([0, -1, graph.rows], numpy.int64))
    value = builder.first_layer(graph.add("Reshape", value, shape))
    for number in 2, 3, 4:
        value = builder.affine(value, f"tdnn{number}.affine", taps=3)
        value = builder.relu_norm(value, f"tdnn{number}")
    value = graph.end(builder.affine(value, "output.affine"))
    return graph.add("LogSoftmax", value, axis=2)


NETWORKS = {"tdnn": _make_tdnn, "tdnnf": _make_tdnnf, "cnn": _make_cnn}


def make_model(name, weights, form, sequences, frames):
    graph = LAYOUTS[form](frames)
    graph.add("Identity", NETWORKS[name](Builder(graph, weights)))
    graph.nodes[-1].output[0] = "output"

    def describe(value, *shape):
        return helper.make_tensor_value_info(value, onnx.TensorProto.FLOAT, shape)

    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            name,
            [
                describe("input", sequences, frames, INPUT_DIM),
                describe("ivector", sequences, IVECTOR_DIM),
            ],
            [describe("output", sequences, graph.rows, None)],
            graph.constants,
        ),
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=8,
    )
    onnx.checker.check_model(model)
    return model
