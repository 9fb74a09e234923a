# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Libraries and data that the tests share.

NNET3_SOURCE in the environment is the folder of the sources.
"""

import os
import pathlib

import kaldiio
import matplotlib
import numpy
import pytest

from nnet3.compiler import run_tool

matplotlib.use("agg")
SOURCE = pathlib.Path(os.environ["NNET3_SOURCE"])
TDNN = SOURCE / "examples" / "tdnn"


@pytest.fixture(scope="session")
def utterances():
    """Features, i-vector and expected output of each utterance."""
    tables = [
        dict(kaldiio.load_ark(str(TDNN / f"{name}.ark")))
        for name in ("features", "ivectors", "expected")
    ]
    features, ivectors, expected = tables
    return {
        key: (features[key], ivectors[key], expected[key]) for key in features
    }


@pytest.fixture(scope="session")
def utterance(utterances):
    """The longest utterance."""
    return max(utterances.values(), key=lambda utterance: len(utterance[0]))


@pytest.fixture(scope="session")
def chunk_library(tmp_path_factory):
    """A library of chunks of 12 and 30 frames."""
    stem = tmp_path_factory.mktemp("chunks") / "net"
    run_tool(
        "nnet3-compile",
        "--chunk=12,30",
        "--frame-subsampling-factor=3",
        "-o",
        stem,
        TDNN / "tdnn.raw",
    )
    return stem.with_name("libnet.so")


@pytest.fixture(scope="session")
def stream_library(tmp_path_factory):
    """A library of streams: chunks of 6 and 21 frames, of 1 and 4 streams."""
    stem = tmp_path_factory.mktemp("streams") / "live"
    run_tool(
        "nnet3-compile",
        "--streaming",
        "--chunk=6,21",
        "--sequences=1,4",
        "--frame-subsampling-factor=3",
        "-o",
        stem,
        TDNN / "tdnn.raw",
    )
    return stem.with_name("liblive.so")


@pytest.fixture
def random():
    return numpy.random.default_rng(1)
