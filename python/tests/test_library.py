# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import shutil
import threading

import numpy
import pytest

import nnet3


def assert_close(actual, expected):
    assert actual.shape == expected.shape
    numpy.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-4)


def test_utterances(chunk_library, utterances):
    library = nnet3.load(chunk_library)
    assert [chunk.frames for chunk in library.chunks] == [12, 30]
    for features, ivector, expected in utterances.values():
        assert_close(library(features, ivector), expected)


def test_describes_requests(chunk_library):
    library = nnet3.load(chunk_library)
    assert (library.precision, library.target) == ("f32", "cpu")
    assert library.layers == {}
    request = library.request(library.chunks[0].name)
    names = {matrix.name: matrix for matrix in request.inputs}
    assert names.keys() == {"input", "ivector"}
    times = names["input"].indexes[:, 1]
    assert list(times) == list(range(times[0], times[-1] + 1))
    assert request.outputs[0].rows == 4


def test_takes_other_layouts(chunk_library, utterance):
    features, ivector, expected = utterance
    library = nnet3.load(chunk_library)
    wide = numpy.zeros((len(features), 2 * features.shape[1]))
    wide[:, ::2] = features
    assert_close(library(wide[:, ::2], ivector.astype(numpy.float64)), expected)


class OnlyDlpack:
    """A matrix that is neither a numpy array nor a buffer, as torch's are."""

    def __init__(self, array):
        self._array = array
        self.shape = array.shape

    def __dlpack__(self, **arguments):
        return self._array.__dlpack__(**arguments)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


def test_takes_dlpack_and_writes_in_place(chunk_library, random):
    library = nnet3.load(chunk_library)
    request = library.request(library.chunks[0].name)
    inputs = {
        m.name: random.standard_normal((m.rows, m.cols)).astype(numpy.float32)
        for m in request.inputs
    }
    instance = library.instance(request.name)
    expected = instance(inputs)["output"]
    output = numpy.full(expected.shape, numpy.nan, numpy.float32)
    instance(
        {name: OnlyDlpack(matrix) for name, matrix in inputs.items()},
        {"output": output},
    )
    numpy.testing.assert_array_equal(output, expected)


def test_writes_only_what_it_can_write(chunk_library):
    library = nnet3.load(chunk_library)
    request = library.request(library.chunks[0].name)
    inputs = {m.name: numpy.ones((m.rows, m.cols)) for m in request.inputs}
    instance = library.instance(request.name)
    (output,) = request.outputs
    whole = numpy.full((output.rows, 2 * output.cols), 7, numpy.float32)
    fixed = whole[:, : output.cols].copy()
    fixed.flags.writeable = False
    for target, reason in [
        (whole[:, ::2], "rows that follow each other"),
        (whole.astype(float)[:, : output.cols].copy(), "but got float64"),
        (whole, f"but got float32 of {output.rows} x {2 * output.cols}"),
        (fixed, "can be written"),
        (fixed.tolist(), "as a matrix to write"),
    ]:
        with pytest.raises(nnet3.Error, match=reason):
            instance(inputs, {"output": target})
    with pytest.raises(nnet3.Error, match="output 'output' is not given"):
        instance(inputs, {})
    assert (whole == 7).all()


def test_threads_compute_at_once(chunk_library, utterance):
    features, ivector, _ = utterance
    library = nnet3.load(chunk_library)
    expected = library(features, ivector)
    results = []

    def compute():
        results.append(nnet3.load(chunk_library)(features, ivector))

    threads = [threading.Thread(target=compute) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    for result in results:
        numpy.testing.assert_array_equal(result, expected)


def test_wrong_inputs(chunk_library, utterance):
    features, ivector, _ = utterance
    library = nnet3.load(chunk_library)
    name = library.chunks[0].name
    with pytest.raises(nnet3.Error, match="expects input 'input' of"):
        library.run(name, {"input": features[:1], "ivector": ivector[None]})
    with pytest.raises(nnet3.Error, match="input 'ivector' is not given"):
        (rows,) = [m.rows for m in library.request(name).inputs if m.name == "input"]
        library.run(name, {"input": features[:rows]})
    with pytest.raises(nnet3.Error, match="no request 'x'; there is '"):
        library.run("x", {})
    with pytest.raises(nnet3.Error, match="expects an i-vector"):
        library(features)
    with pytest.raises(nnet3.Error, match="expects an i-vector of 10 numbers"):
        library(features, ivector[:3])
    for wrong in [None, features[0], features + 1j, features[:, :5], "text"]:
        with pytest.raises(nnet3.Error, match="expects features"):
            library(wrong, ivector)
    assert_close(
        library(features.tolist(), ivector.tolist()), library(features, ivector)
    )
    with pytest.raises(nnet3.Error, match="expects input 'input'"):
        library.run(name, {"input": None, "ivector": ivector[None]})


def test_short_utterances(chunk_library, utterance):
    features, ivector, _ = utterance
    library = nnet3.load(chunk_library)
    assert library(features[:1], ivector).shape == (1, 24)
    assert library(features[:0], ivector).shape == (0, 24)


def test_damaged_library(chunk_library, tmp_path):
    damaged = tmp_path / "libnet.so"
    data = bytearray(chunk_library.read_bytes())
    data[len(data) // 2] ^= 1
    damaged.write_bytes(data)
    with pytest.raises(nnet3.Error, match="checksum"):
        nnet3.load(damaged)


def test_missing_file():
    with pytest.raises(nnet3.Error, match="no such file"):
        nnet3.load("missing.so")


def test_prefix_is_found(chunk_library, tmp_path):
    renamed = tmp_path / "other.so"
    shutil.copy(chunk_library, renamed)
    assert nnet3.load(renamed).chunks
    with pytest.raises(nnet3.Error, match="begin with 'wrong_'"):
        nnet3.load(renamed, prefix="wrong")
