# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks in PyTorch models."""

import kaldiio
import numpy
import pytest
import torch

import nnet3
from conftest import TDNN
from nnet3.compiler import run_tool
from nnet3.torch import Network

SMOOTH = """\
input-node name=input dim=4
component name=c1 type=AffineComponent input-dim=12 output-dim=6 param-stddev=0.4
component-node name=c1 component=c1 input=Append(Offset(input, -1), input, Offset(input, 1))
component name=c2 type=TanhComponent dim=6
component-node name=c2 component=c2 input=c1
component name=c3 type=AffineComponent input-dim=6 output-dim=3 param-stddev=0.4
component-node name=c3 component=c3 input=Sum(c2, IfDefined(Offset(c2, -1)))
component name=c4 type=LogSoftmaxComponent dim=3
component-node name=c4 component=c4 input=c3
output-node name=output input=c4
output-node name=hidden input=c2
"""


@pytest.fixture(scope="module")
def smooth(tmp_path_factory):
    """A smooth network, for numeric derivatives."""
    folder = tmp_path_factory.mktemp("smooth")
    (folder / "net.config").write_text(SMOOTH)
    run_tool("nnet3-init", "--srand=3", folder / "net.config", folder / "net.raw")
    return nnet3.load(folder / "net.raw")


def values(rows, cols):
    generator = torch.Generator().manual_seed(1)
    return torch.randn(rows, cols, generator=generator, dtype=torch.float64)


def test_gradcheck(smooth):
    network = Network(
        smooth.program(
            "input name=input t=-1:5 has-deriv=true\n"
            "output name=output t=0:4 has-deriv=true\n"
            "output name=hidden t=0:4 has-deriv=true\n"
        )
    )

    def function(input):
        outputs = network(input=input)
        return outputs["output"].double(), outputs["hidden"].double()

    input = values(7, 4).requires_grad_()
    assert torch.autograd.gradcheck(function, input, eps=1e-2, atol=1e-4, rtol=1e-3)


@pytest.fixture(scope="module")
def tdnn():
    request = "".join(
        line for line in open(TDNN / "train.request") if not line.startswith(("need", "store"))
    )
    return nnet3.load(TDNN / "tdnn.raw").program(request)


def test_equals_nnet3_run(tdnn, tmp_path):
    input, ivector, derivative = values(42, 20), values(1, 10), values(10, 24)
    files = {"input": input, "ivector": ivector, "deriv": derivative}
    for name, matrix in files.items():
        numbers = numpy.from_dlpack(matrix).astype(numpy.float32)
        kaldiio.save_mat(str(tmp_path / name), numbers)
    run_tool(
        "nnet3-run",
        f"--request={TDNN / 'train.request'}",
        f"--input=input={tmp_path / 'input'}",
        f"--input=ivector={tmp_path / 'ivector'}",
        f"--output-deriv=output={tmp_path / 'deriv'}",
        f"--input-deriv=ivector={tmp_path / 'gradient'}",
        TDNN / "tdnn.raw",
    )
    input.requires_grad_()
    ivector.requires_grad_()
    output = Network(tdnn)(input=input, ivector=ivector)
    output.backward(derivative)
    assert ivector.grad.dtype == torch.float64
    expected = torch.from_dlpack(kaldiio.load_mat(str(tmp_path / "gradient")).copy())
    torch.testing.assert_close(ivector.grad.float(), expected, rtol=1e-4, atol=1e-5)


def test_one_graph_twice(tdnn):
    input, ivector = values(42, 20).requires_grad_(), values(1, 10)
    loss = Network(tdnn)(input=input, ivector=ivector)[:, 0].sum()
    (first,) = torch.autograd.grad(loss, input, retain_graph=True)
    (second,) = torch.autograd.grad(loss, input)
    assert first.abs().max() > 0
    assert torch.equal(first, second)


def test_between_layers(tdnn):
    """A layer in front of the network learns through it."""
    torch.manual_seed(1)
    front, network = torch.nn.Linear(8, 20), Network(tdnn)
    optimizer = torch.optim.SGD(front.parameters(), lr=1e-3)
    input, ivector = values(42, 8).float(), values(1, 10)
    losses = []
    for _ in range(20):
        optimizer.zero_grad()
        output = network(input=front(input), ivector=ivector)
        loss = -torch.log_softmax(output, 1)[:, 3].mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0]


def test_without_gradients(smooth):
    network = Network(
        smooth.program("input name=input t=-1:5\noutput name=output t=0:4\n")
    )
    input = values(7, 4)
    output = network(input=input)
    assert not output.requires_grad
    torch.testing.assert_close(output.exp().sum(1), torch.ones(5))
    input.requires_grad_()
    with torch.no_grad():
        assert torch.equal(network(input=input), output)
    with pytest.raises(nnet3.Error, match="derivative of input 'input'"):
        network(input=input)


def test_errors(smooth):
    network = Network(
        smooth.program("input name=input t=-1:5\noutput name=output t=0:4\n")
    )
    with pytest.raises(nnet3.Error, match="expects a tensor for input 'input'"):
        network()
    with pytest.raises(nnet3.Error, match="no input 'other'"):
        network(input=values(7, 4), other=values(7, 4))
    with pytest.raises(nnet3.Error, match="tensor for input 'input', but got ndarray"):
        network(input=numpy.zeros((7, 4)))
    with pytest.raises(nnet3.Error, match="input 'input' of 2 dimensions, but got 1"):
        network(input=values(7, 4)[0])
    with pytest.raises(nnet3.Error, match="on the CPU, but got meta"):
        network(input=values(7, 4).to("meta"))
    with pytest.raises(nnet3.Error, match="7"):
        network(input=values(6, 4))
