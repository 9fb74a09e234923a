# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The requirements of the wheels, and files that they must not contain."""

import importlib.metadata
import re
import subprocess

import kaldiio
import pytest

from nnet3.compiler import CompileError, run_tool

C_LIBRARY = re.compile(r"lib(c|m|dl|pthread)\.so\.\d|ld-linux.*\.so\.\d")


def find_needed(path):
    """Returns the shared libraries that a file needs, without the C library."""
    with open(path, "rb") as file:
        if file.read(4) != b"\x7fELF":
            return []
    command = ["readelf", "--dynamic", "--wide", path]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    names = re.findall(r"\(NEEDED\).*\[(.*)\]", text)
    return [name for name in names if not C_LIBRARY.fullmatch(name)]


@pytest.mark.parametrize("package", ["nnet3-runtime", "nnet3-compiler"])
def test_need_the_c_library_alone(package):
    files = importlib.metadata.files(package)
    needed = {str(file): find_needed(file.locate()) for file in files}
    assert {file: names for file, names in needed.items() if names} == {}


def test_bundle_no_libraries():
    folders = {
        file.parts[0]
        for package in ("nnet3-runtime", "nnet3-compiler")
        for file in importlib.metadata.files(package)
    }
    assert [folder for folder in folders if folder.endswith(".libs")] == []


def test_chain_examples_need_a_build(random, tmp_path):
    features, supervision = tmp_path / "features.ark", tmp_path / "supervision.txt"
    kaldiio.save_ark(str(features), {"a": random.random((3, 2), dtype="f4")})
    supervision.write_text(
        "a <Supervision> <Weight> 1 <NumSequences> 1 <FramesPerSeq> 3 <LabelDim> 2 "
        "<End2End> F\n0 1 1 1\n1 2 2 2\n2 3 1 1\n3\n\n</Supervision>\n"
    )
    with pytest.raises(CompileError, match="needs a build with OpenFst"):
        run_tool(
            "nnet3-chain-get-egs",
            "--num-frames=3",
            f"ark:{features}",
            f"ark:{supervision}",
            f"ark:{tmp_path}/egs.ark",
        )
