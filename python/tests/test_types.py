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


PROGRAMS = {
    "right": (RIGHT, None),
    "assignment": (
        "stream: int = library.stream()",
        "Incompatible types in assignment",
    ),
    "arguments": ("nnet3.mfcc().stream().push(1, 2)", "Too many arguments"),
    "attribute": ("library.nosuch()", "has no attribute"),
}


@pytest.fixture(scope="module")
def messages(tmp_path_factory):
    """What mypy says of all programs."""
    folder = tmp_path_factory.mktemp("types")
    for name, (text, _) in PROGRAMS.items():
        (folder / f"{name}.py").write_text(HEAD + text)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", folder, folder],
        capture_output=True,
        text=True,
    )
    assert "Found" in done.stdout, done.stdout + done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("name", PROGRAMS)
def test_mypy(name, messages):
    errors = [line for line in messages if f"{name}.py:" in line]
    error = PROGRAMS[name][1]
    assert bool(errors) == (error is not None), errors
    assert error is None or error in errors[0]
