# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MFCC and fbank features as Kaldi defines them."""

import os

import numpy

from nnet3 import _runtime


class FeatureStream:
    """The samples of one speaker, as they come.

    Args:
        features: a `Features`.
    """

    def __init__(self, features):
        self._stream = _runtime.FeatureStream(features._features)

    def push(self, samples):
        """Takes samples in the range of 16-bit integers, and returns the frames
        that end in them, frames x dim."""
        return self._stream.push(numpy.asarray(samples, numpy.float32))

    def finish(self):
        """Returns the frames that are left, and takes no more samples."""
        return self._stream.finish()

    def reset(self):
        """Begins again with new samples."""
        self._stream.reset()


class Features:
    """Features of one kind. `mfcc()` and `fbank()` make them.

    Attributes:
        dim: numbers of a frame.
        sample_frequency: in Hz.
        frame_shift: samples from one frame to the next.
    """

    def __init__(self, is_mfcc, config):
        self._features = _runtime.Features.create(is_mfcc, config)
        self.dim = self._features.dim
        self.sample_frequency = self._features.sample_frequency
        self.frame_shift = self._features.frame_shift

    def __call__(self, samples):
        """The frames of samples in the range of 16-bit integers: frames x dim."""
        stream = self.stream()
        return numpy.concatenate([stream.push(samples), stream.finish()])

    def stream(self):
        """Begins with the samples of a speaker: a `FeatureStream`."""
        return FeatureStream(self)


def _read_config(config, options):
    """The text of a configuration file, with options added at its end."""
    text = ""
    if config is not None:
        with open(os.fspath(config), encoding="utf-8") as file:
            text = file.read() + "\n"
    for name, value in options.items():
        if isinstance(value, bool):
            value = str(value).lower()
        text += f"--{name.replace('_', '-')}={value}\n"
    return text


def mfcc(config=None, **options):
    """Mel-frequency cepstral coefficients.

    Args:
        config: path of a configuration file of Kaldi, such as conf/mfcc.conf.
        **options: of that file, with underscores: `mfcc(num_ceps=40)`.

    Raises:
        Error: an option that does not exist, or a value out of its range.
    """
    return Features(True, _read_config(config, options))


def fbank(config=None, **options):
    """Log energies of mel filters; arguments as for `mfcc()`."""
    return Features(False, _read_config(config, options))
