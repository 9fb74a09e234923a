# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples, libraries and utterances that the tests share.

NNET3_LIBRARIES in the environment is the folder of libchunks.so and liblive.so.
"""

import os
import pathlib
import sys

import kaldiio
import pytest
import ray

SOURCE = pathlib.Path(__file__).parents[2]
TDNN = SOURCE / "examples" / "tdnn"
LIBRARIES = pathlib.Path(os.environ["NNET3_LIBRARIES"])

sys.path.insert(0, str(SOURCE / "examples" / "ray"))


def find_processes(name):
    """Workers of Ray that run a class."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
        if command.startswith("ray::") and name in command:
            found.append(int(process.name))
    return found


@pytest.fixture(scope="session")
def cluster():
    """Ray with two CPUs, whose processes can import the examples."""
    environment = {"PYTHONPATH": str(SOURCE / "examples" / "ray")}
    ray.init(
        num_cpus=2,
        include_dashboard=False,
        object_store_memory=256 << 20,
        runtime_env={"env_vars": environment},
        log_to_driver=False,
    )
    yield
    ray.shutdown()


@pytest.fixture(scope="session")
def utterances():
    """Features, i-vector and expected output of each utterance."""
    tables = [
        dict(kaldiio.load_ark(str(TDNN / f"{name}.ark")))
        for name in ("features", "ivectors", "expected")
    ]
    return {key: tuple(table[key] for table in tables) for key in tables[0]}
