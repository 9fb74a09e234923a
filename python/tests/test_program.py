# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy
import pytest

import nnet3
from conftest import TDNN
from nnet3.compiler import run_tool


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    folder = tmp_path_factory.mktemp("program")
    run_tool("nnet3-compile", "--chunk=30", "--frame-subsampling-factor=3",
             "--emit=network", "-o", folder / "network.mlir", TDNN / "tdnn.raw")
    run_tool("nnet3-opt", "--nnet3-compile", "--nnet3-optimize", folder / "network.mlir",
             "-o", folder / "commands.mlir")
    run_tool("nnet3-translate", "--mlir-to-program", folder / "commands.mlir",
             "-o", folder / "net.n3pg")
    return folder / "net.n3pg"


def test_programs_equal_libraries(program, chunk_library, random):
    opened = nnet3.Program.load(str(program))
    inputs = {
        m.name: random.standard_normal((m.rows, m.cols)) for m in opened.inputs()
    }
    instance = nnet3.ProgramInstance(opened)
    instance.run(inputs)
    library = nnet3.load(chunk_library)
    expected = library.run(library.chunks[-1].name, inputs)["output"]
    numpy.testing.assert_allclose(
        instance.get_output("output"), expected, rtol=1e-4, atol=1e-4
    )


def test_errors(program, tmp_path):
    damaged = tmp_path / "net.n3pg"
    damaged.write_bytes(program.read_bytes()[:100])
    with pytest.raises(nnet3.Error):
        nnet3.Program.load(str(damaged))
    instance = nnet3.ProgramInstance(nnet3.Program.load(str(program)))
    with pytest.raises(nnet3.Error, match="x"):
        instance.run({"x": numpy.zeros((1, 1))})
