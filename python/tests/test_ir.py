# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy
import pytest

import nnet3
from conftest import TDNN
from nnet3.compiler import CompileError, Module

NETWORK = """
nnet3.network @net {
  nnet3.rectified_linear @relu {dim = 4 : i64}
  %input = nnet3.input_node "input" : !nnet3.rows<4>
  %0 = nnet3.offset %input, t = -1 : !nnet3.rows<4>
  %a = nnet3.component_node "a" @relu(%0) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  nnet3.output_node "output", %a : !nnet3.rows<4>
}
nnet3.request @request for @net {
  nnet3.request_input "input" <n = 0, t = -1:2>
  nnet3.request_output "output" <n = 0, t = 0:3>
}
"""


def test_walks_operations():
    module = Module.parse(NETWORK)
    network = module.find("net")
    names = [op.name for op in network.walk()]
    assert names == [
        "nnet3.network",
        "nnet3.rectified_linear",
        "nnet3.input_node",
        "nnet3.offset",
        "nnet3.component_node",
        "nnet3.output_node",
    ]
    (offset,) = [op for op in module.walk() if op.name == "nnet3.offset"]
    (source,) = [op for op in module.walk() if op.name == "nnet3.input_node"]
    assert offset.operands == [source.results[0].id]
    assert source.results[0].type == "!nnet3.rows<4>"
    assert offset.attributes["t"] == -1
    assert offset.location[1] == 5


def test_runs_passes():
    optimized = Module(NETWORK).run("nnet3-compile", "nnet3-optimize")
    names = {op.name for op in optimized.walk()}
    assert {"nnet3.computation", "nnet3.propagate"} <= names
    assert "nnet3.propagate" in str(optimized)
    same = Module(NETWORK).run("builtin.module(nnet3-compile,nnet3-optimize)")
    assert str(same) == str(optimized)


def test_reads_models():
    module = Module(TDNN / "tdnn.raw")
    weights = module.find("tdnn1.affine").attributes["linear_params"]
    assert weights.shape == (32, 110)
    assert numpy.isfinite(weights).all()


def test_saves(tmp_path):
    module = Module.parse(NETWORK)
    module.save(tmp_path / "net.mlir")
    module.save(tmp_path / "net.mlirbc")
    assert str(Module(tmp_path / "net.mlir")) == str(Module(tmp_path / "net.mlirbc"))


def test_shows_reports():
    page = Module(NETWORK).report("nnet3-compile", "nnet3-optimize")
    assert page.startswith("<!DOCTYPE html>")


def test_lists_computations():
    commands = Module(NETWORK).run("nnet3-compile", "nnet3-optimize")
    (computation,) = commands.computations()
    assert computation.name == "request_computation"
    assert any("propagate" in command for command in computation.commands)
    assert len(computation.live_bytes) == len(computation.commands)
    roles = {matrix.role: matrix for matrix in computation.matrices}
    assert (roles["input"].rows, roles["input"].cols) == (4, 4)
    assert roles["input"].bytes == 64
    for command, live in enumerate(computation.live_bytes):
        alive = [m for m in computation.matrices if m.begin <= command < m.end]
        assert sum(matrix.bytes for matrix in alive) == live
    assert computation.peak_bytes == max(computation.live_bytes)
    assert Module(NETWORK).computations() == []


def test_plots_lifetimes():
    (computation,) = Module(NETWORK).run("nnet3-compile").computations()
    memory, lifetimes = computation.plot_lifetimes()
    assert "request_computation" in memory.get_title()
    bars = {(bar.get_x(), bar.get_x() + bar.get_width()) for bar in lifetimes.patches}
    assert bars == {(matrix.begin, matrix.end) for matrix in computation.matrices}


def test_errors():
    with pytest.raises(CompileError) as raised:
        Module.parse(NETWORK.replace("dim = 4", "dim = 5"))
    assert raised.value.line in (3, 6) and raised.value.column
    with pytest.raises(nnet3.Error, match="no-such-pass"):
        Module(NETWORK).run("no-such-pass")
