# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import pathlib
import shutil
import subprocess
import sys

import numpy
import pytest

import nnet3
import nnet3.compiler
from conftest import SOURCE, TDNN


@pytest.fixture(scope="module")
def model():
    return nnet3.load(TDNN / "tdnn.raw")


def test_describes_networks(model):
    assert (model.left_context, model.right_context) == (6, 6)
    assert model.num_parameters == 10552
    node = model.nodes["tdnn1.affine"]
    assert (node.kind, node.dim, node.component) == ("component", 32, "tdnn1.affine")
    assert model.nodes["input"] == nnet3.compiler.Node("input", "input", 20)
    assert model.nodes["output"].dim == 24
    component = model.components["tdnn1.affine"]
    assert component.type == "natural_gradient_affine"
    assert component.config["input_dim"] == 110


def test_parameters_are_views(model):
    weights = model.components["tdnn1.affine"].parameters["linear_params"]
    assert weights.shape == (32, 110) and weights.dtype == numpy.float32
    assert weights.base is not None and not weights.flags.writeable
    text = nnet3.compiler.run_tool(
        "nnet3-copy", "--binary=false", TDNN / "tdnn.raw", "-"
    ).decode()
    row = text.split("<LinearParams>")[1].split("[")[1].split("\n")[1].split()
    numpy.testing.assert_array_equal(weights[0], numpy.float32(row))


def test_computes(model, utterances):
    for features, ivector, expected in utterances.values():
        output = model(features, ivector, frame_subsampling_factor=3)
        numpy.testing.assert_allclose(output, expected, rtol=1e-4, atol=1e-4)


def test_computes_with_several_ivectors(model, utterance):
    features, ivector, expected = utterance
    ivectors = numpy.tile(ivector, (len(features) // 10 + 1, 1))
    options = {"ivectors": ivectors, "frame_subsampling_factor": 3}
    # The network takes one i-vector for the whole request.
    output = model(features, ivector_period=10, **options)
    numpy.testing.assert_allclose(output, expected, rtol=1e-4, atol=1e-4)
    other = ivectors.copy()
    other[len(other) // 2 :] += 1
    changed = model(features, ivector_period=10, **{**options, "ivectors": other})
    assert abs(changed - expected).max() > 1e-3
    with pytest.raises(nnet3.Error, match="expects ivector_period for"):
        model(features, **options)


def test_compiles(model, utterance, tmp_path):
    features, ivector, expected = utterance
    library = model.compile(
        tmp_path / "asr", chunk=[12, 30], frame_subsampling_factor=3
    )
    assert (tmp_path / "asr.h").exists()
    numpy.testing.assert_allclose(
        library(features, ivector), expected, rtol=1e-4, atol=1e-4
    )
    stream = library.stream(ivector)
    outputs = [stream.push(features), stream.finish()]
    numpy.testing.assert_array_equal(
        numpy.concatenate(outputs), library(features, ivector)
    )
    assert library.batch().info.input_dim == 20
    chunks = model.compile(
        streaming=False, chunk=[12, 30], frame_subsampling_factor=3
    )
    assert not chunks.streams and len(chunks.chunks) == 2
    numpy.testing.assert_allclose(
        chunks(features, ivector), expected, rtol=1e-4, atol=1e-4
    )
    small = model.compile(chunk=30, frame_subsampling_factor=3, precision="bf16")
    assert small.precision == "bf16"
    assert small.layers["tdnn2.affine"] == ("bf16", None)


def test_chunks_where_streams_are_not_exact(tmp_path):
    """A backward recurrence does not stream; optional later frames and statistics of
    periods stream, but not exactly."""
    text = (
        "input-node name=input dim=4\n"
        "component name=a type=AffineComponent input-dim=8 output-dim=4\n"
        "component-node name=a component=a "
        "input=Append(input, IfDefined(Offset(a, {offset})))\n"
        "output-node name=output input=a\n"
    )
    optional = (
        "input-node name=input dim=4\n"
        "component name=a type=AffineComponent input-dim=8 output-dim=4\n"
        "component-node name=a component=a "
        "input=Append(input, IfDefined(Offset(input, 2)))\n"
        "output-node name=output input=a\n"
    )
    periods = (
        "input-node name=input dim=4\n"
        "component name=a type=StatisticsExtractionComponent input-dim=4 "
        "input-period=1 output-period=4\n"
        "component-node name=a component=a input=input\n"
        "output-node name=output input=Round(a, 4)\n"
    )
    for number, config in enumerate(
        [text.format(offset=-1), text.format(offset=1), optional, periods]
    ):
        path = tmp_path / f"{number}.config"
        path.write_text(config)
        library = nnet3.load(path).compile(chunk=[8], init_seed=1)
        assert library.streams == (number == 0)
        assert not library.depends_on_chunks and not library.depends_on_end
    streaming = nnet3.load(path).compile(chunk=[8], streaming=True)
    assert streaming.depends_on_end and not streaming.depends_on_chunks
    features = numpy.random.default_rng(2).normal(size=(8, 4))
    numpy.testing.assert_allclose(streaming(features), library(features), atol=1e-5)
    features = features[:6]
    assert abs(streaming(features) - nnet3.load(path)(features)).max() > 0.1


def test_priors_are_part_of_libraries(tmp_path):
    path = SOURCE / "test" / "Inputs" / "golden" / "cli" / "tdnn.mdl"
    model = nnet3.load(path)
    dim = model.nodes["input"].dim
    random = numpy.random.default_rng(3)
    features, ivector = random.normal(size=(24, dim)), random.normal(size=10)
    plain = model(features, ivector)
    expected = model(features, ivector, use_priors=True)
    assert abs(plain - expected).max() > 1
    library = model.compile(chunk=[24], use_priors=True)
    numpy.testing.assert_allclose(
        library(features, ivector), expected, rtol=1e-4, atol=1e-4
    )
    with pytest.raises(nnet3.Error, match="has no priors"):
        nnet3.load(TDNN / "tdnn.raw").compile(chunk=[30], use_priors=True)


def test_links_without_a_compiler(utterance, tmp_path):
    """In a process that finds no program."""
    features, ivector, expected = utterance
    numpy.savez(tmp_path / "data.npz", features, ivector)
    script = f"""
import numpy, nnet3
features, ivector = numpy.load("{tmp_path}/data.npz").values()
library = nnet3.load("{TDNN}/tdnn.raw").compile(
    chunk=30, frame_subsampling_factor=3)
numpy.save("{tmp_path}/output.npy", library(features, ivector))
"""
    subprocess.run(
        [sys.executable, "-c", script],
        env={"PATH": str(tmp_path), "TMPDIR": str(tmp_path)},
        check=True,
    )
    output = numpy.load(tmp_path / "output.npy")
    numpy.testing.assert_allclose(output, expected, rtol=1e-4, atol=1e-4)


def test_compiles_for_other_machines(model, tmp_path):
    path = model.compile(
        tmp_path / "asr", chunk=30, target="aarch64-linux-gnu"
    )
    machine = pathlib.Path(path).read_bytes()[18:20]
    assert int.from_bytes(machine, "little") == 183  # EM_AARCH64
    for options, suffix in [
        ({"target": "wasm32"}, ".wasm"),
        ({"emit": "archive"}, ".a"),
        ({"emit": "obj"}, ".o"),
        ({"emit": "llvm"}, "asr"),
    ]:
        path = model.compile(tmp_path / "asr", chunk=30, **options)
        assert path.endswith(suffix) and pathlib.Path(path).stat().st_size > 0


def test_folders(tmp_path, utterance):
    folder = tmp_path / "model" / "am"
    folder.mkdir(parents=True)
    shutil.copy(TDNN / "tdnn.raw", folder / "final.mdl")
    model = nnet3.load(tmp_path / "model")
    assert model.nodes["output"].dim == 24


def test_errors(tmp_path):
    config = tmp_path / "bad.config"
    config.write_text(
        "input-node name=input dim=20\n"
        "component name=a type=NaturalGradientAffineComponent input-dim=21 output-dim=3\n"
        "component-node name=a component=a input=input\n"
        "output-node name=output input=a\n"
    )
    with pytest.raises(nnet3.Error, match="bad.config:3:") as raised:
        nnet3.load(config)
    error = raised.value
    assert isinstance(error, nnet3.compiler.CompileError)
    assert (error.file, error.line) == (str(config), 3)
    assert "21" in error.message and "20" in error.message
    model = nnet3.load(TDNN / "tdnn.raw")
    with pytest.raises(nnet3.Error, match="chunk"):
        model.compile()
    damaged = tmp_path / "damaged.raw"
    damaged.write_bytes((TDNN / "tdnn.raw").read_bytes()[:1000])
    with pytest.raises(nnet3.Error) as raised:
        nnet3.load(damaged)
    assert raised.value.file == str(damaged)
    assert raised.value.line is None and raised.value.byte > 900
    with pytest.raises(nnet3.Error, match="nosuch") as raised:
        model.module.run("nosuch")
    assert raised.value.file is None
    for features in [None, numpy.zeros(20), numpy.zeros((30, 20), complex)]:
        with pytest.raises(nnet3.Error, match="expects features"):
            model(features)
    with pytest.raises(nnet3.Error) as raised:
        model(numpy.zeros((30, 7)))
    assert "\n" not in str(raised.value)


def test_notebooks_show_a_drawing(model):
    assert "<iframe srcdoc=" in model._repr_html_()


@pytest.mark.parametrize(
    "tool", ["nnet3-compile", "nnet3-opt", "nnet3-run", "nnet3-translate", "nnet3"]
)
def test_tools_are_commands(tool):
    path = pathlib.Path(sys.executable).parent / tool
    done = subprocess.run([path, "--help"], capture_output=True, text=True)
    assert done.returncode == 0
    assert tool in done.stdout + done.stderr or "USAGE" in done.stdout


def test_kaldis_programs():
    info = nnet3.compiler.run_tool("nnet3", "info", TDNN / "tdnn.raw").decode()
    assert "left-context: 6" in info
