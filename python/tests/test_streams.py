# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pickle

import numpy
import pytest

import nnet3


def push_all(stream, features, random):
    """Pushes frames in pieces of random lengths; returns all outputs."""
    outputs, begin = [], 0
    while begin < len(features):
        count = int(random.integers(1, 30))
        outputs.append(stream.push(features[begin : begin + count]))
        begin += count
    return numpy.concatenate([*outputs, stream.finish()])


def test_streams_equal_utterances(stream_library, utterances, random):
    library = nnet3.load(stream_library)
    for features, ivector, expected in utterances.values():
        output = push_all(library.stream(ivector), features, random)
        numpy.testing.assert_allclose(output, expected, rtol=1e-4, atol=1e-4)


def test_copies_go_on_alone(stream_library, utterance, random):
    features, ivector, _ = utterance
    library = nnet3.load(stream_library)
    expected = push_all(library.stream(ivector), features, random)
    stream = library.stream(ivector)
    head = stream.push(features[:40])
    branch = stream.copy()
    stream.push(numpy.zeros_like(features[:30]))
    tail = push_all(branch, features[40:], random)
    numpy.testing.assert_array_equal(numpy.concatenate([head, tail]), expected)


def test_streams_begin_again(stream_library, utterance, random):
    features, ivector, _ = utterance
    library = nnet3.load(stream_library)
    expected = push_all(library.stream(ivector), features, random)
    stream = library.stream(ivector)
    push_all(stream, features[:35], random)
    stream.reset(ivector)
    numpy.testing.assert_array_equal(push_all(stream, features, random), expected)


def test_saved_streams_are_restored(stream_library, utterance, random):
    features, ivector, _ = utterance
    library = nnet3.load(stream_library)
    expected = push_all(library.stream(ivector), features, random)
    stream = library.stream(ivector)
    head = stream.push(features[:35])
    saved = pickle.loads(pickle.dumps(stream.save()))

    other = nnet3.load(stream_library)
    restored = nnet3.Stream.restore(other.batch(), saved)
    tail = push_all(restored, features[35:], random)
    numpy.testing.assert_array_equal(numpy.concatenate([head, tail]), expected)
    given = nnet3.Stream.restore(other.batch(), saved, numpy.zeros_like(ivector))
    numpy.testing.assert_array_equal(given.ivector, numpy.zeros_like(ivector))

    damaged = bytearray(saved["state"])
    damaged[len(damaged) // 2] ^= 1
    with pytest.raises(nnet3.Error, match="state"):
        nnet3.Stream.restore(other.batch(), {**saved, "state": bytes(damaged)})


def test_saved_ivectors(stream_library, utterance, tmp_path):
    features, ivector, _ = utterance
    library = nnet3.load(stream_library)
    own = numpy.array(ivector, numpy.float32)
    stream = library.stream(own)
    stream.push(features[:35])
    numpy.savez(tmp_path / "stream.npz", **stream.save())
    own[:] = 0  # the saved vector is a copy
    with numpy.load(tmp_path / "stream.npz") as saved:
        restored = nnet3.Stream.restore(library.batch(), saved)
    numpy.testing.assert_array_equal(restored.ivector, ivector)

    stream.ivector = None
    restored = nnet3.Stream.restore(library.batch(), stream.save())
    assert restored.ivector is None


def test_batches_have_the_bits_of_single_streams(stream_library, random):
    library = nnet3.load(stream_library)
    batch = library.batch()
    info = batch.info
    assert info.batch_sizes == [1, 4]
    inputs = [
        random.standard_normal((int(random.integers(1, 120)), info.input_dim))
        for _ in range(7)
    ]
    ivectors = random.standard_normal((7, info.ivector_dim))
    streams = [batch.stream(ivector) for ivector in ivectors]
    outputs = {stream: [] for stream in streams}
    for begin in range(0, 120, 17):
        frames = {
            stream: matrix[begin : begin + 17]
            for stream, matrix in zip(streams, inputs)
            if begin < len(matrix)
        }
        for stream, output in batch.push(frames).items():
            outputs[stream].append(output)
    for stream, matrix, ivector in zip(streams, inputs, ivectors):
        together = numpy.concatenate([*outputs[stream], stream.finish()])
        alone = push_all(library.stream(ivector), matrix, random)
        numpy.testing.assert_array_equal(together, alone)


def test_wrong_frames(stream_library):
    stream = nnet3.load(stream_library).stream()
    with pytest.raises(nnet3.Error, match="expects frames of 20 columns"):
        stream.push(numpy.zeros((3, 7)))
    with pytest.raises(nnet3.Error, match="expects an i-vector"):
        stream.push(numpy.zeros((60, 20)))


def test_no_frames_behind_the_end(stream_library, utterance):
    features, ivector, _ = utterance
    stream = nnet3.load(stream_library).stream(ivector)
    stream.push(features)
    stream.finish()
    for ended in [stream, stream.copy()]:
        with pytest.raises(nnet3.Error, match="after the end"):
            ended.push(features)


def test_libraries_without_streams(chunk_library):
    with pytest.raises(nnet3.Error, match="get_stream_info"):
        nnet3.load(chunk_library).stream()
