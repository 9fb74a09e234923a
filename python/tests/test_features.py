# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy
import pytest

import nnet3


def test_streams_equal_whole_waveforms(random):
    features = nnet3.mfcc(num_ceps=40, num_mel_bins=40)
    assert (features.dim, features.sample_frequency) == (40, 16000.0)
    samples = random.integers(-9000, 9000, 16000)
    whole = features(samples)
    assert whole.shape == (98, 40)
    stream = features.stream()
    for _ in range(2):
        parts = [stream.push(part) for part in numpy.array_split(samples, 37)]
        parts.append(stream.finish())
        numpy.testing.assert_array_equal(numpy.concatenate(parts), whole)
        stream.reset()


def test_edges_that_are_not_snipped(random):
    features = nnet3.fbank(snip_edges=False)
    samples = random.integers(-9000, 9000, 1600)
    assert features(samples).shape == (10, features.dim)


def test_options(tmp_path):
    config = tmp_path / "mfcc.conf"
    config.write_text("--num-ceps=20\n--num-mel-bins=30\n")
    assert nnet3.mfcc(config).dim == 20
    assert nnet3.mfcc(config, num_ceps=13).dim == 13
    with pytest.raises(nnet3.Error, match="2:1: .*no-such-option"):
        config.write_text("--num-ceps=20\n--no-such-option=1\n")
        nnet3.mfcc(config)


def test_errors(tmp_path):
    with pytest.raises(nnet3.Error, match="one dimension, but got 2 x 800"):
        nnet3.mfcc()(numpy.zeros((2, 800)))
    with pytest.raises(nnet3.Error, match="path of a .* file, but got ndarray"):
        nnet3.mfcc(numpy.zeros((2, 800)))
    with pytest.raises(nnet3.Error, match=f"{tmp_path}/none.conf: .* No such file"):
        nnet3.mfcc(tmp_path / "none.conf")
