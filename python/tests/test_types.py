# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Type checks by mypy of programs that use the packages."""

import subprocess
import sys

import pytest

HEAD = """
import numpy
import nnet3
from nnet3.compiler import Model

model = Model("final.mdl")
library = model.compile(chunk=[21, 51], frame_subsampling_factor=3, precision="f32")
scores: numpy.typing.NDArray[numpy.float32] = library(numpy.zeros((3, 4)), [1.0])
"""
RIGHT = """
stream: nnet3.Stream = library.batch().stream()
rows: int = len(stream.push([[1.0, 2.0]]))
left: int = model.left_context
"""


@pytest.mark.parametrize(
    "text, error",
    [
        (RIGHT, None),
        ("stream: int = library.stream()", "Incompatible types in assignment"),
        ("nnet3.mfcc().stream().push(1, 2)", "Too many arguments"),
        ("library.nosuch()", "has no attribute"),
    ],
)
def test_mypy(text, error, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(HEAD + text)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path, program],
        capture_output=True,
        text=True,
    )
    assert done.returncode == (error is not None), done.stdout
    assert error is None or error in done.stdout
