# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MFCC and fbank features as Kaldi defines them."""

from __future__ import annotations

import os
from collections.abc import Mapping

import numpy
from numpy.typing import ArrayLike, NDArray

from nnet3 import _runtime
from nnet3._runtime import Error


class FeatureStream:
    """A stream of samples.

    Args:
        features: a `Features`.
    """

    def __init__(self, features: Features) -> None:
        self._stream = _runtime.FeatureStream(features._features)

    def push(self, samples: ArrayLike) -> NDArray[numpy.float32]:
        """Adds samples in the range of 16-bit integers, and returns the frames
        that they complete, frames x dim."""
        samples = numpy.asarray(samples, numpy.float32)
        if samples.ndim != 1:
            raise Error(
                "expects samples of one dimension, but got "
                f"{' x '.join(map(str, samples.shape)) or 'a number'}"
            )
        return self._stream.push(samples)

    def finish(self) -> NDArray[numpy.float32]:
        """Ends the stream and returns the remaining frames."""
        return self._stream.finish()

    def reset(self) -> None:
        """Starts a new stream of samples."""
        self._stream.reset()


class Features:
    """Features of one kind, created by `mfcc()` and `fbank()`.

    Attributes:
        dim: dimension of a frame.
        sample_frequency: sample frequency in Hz.
        frame_shift: samples between the starts of consecutive frames.
    """

    def __init__(self, is_mfcc: bool, config: str) -> None:
        self._features = _runtime.Features.create(is_mfcc, config)
        self.dim = self._features.dim
        self.sample_frequency = self._features.sample_frequency
        self.frame_shift = self._features.frame_shift

    def __call__(self, samples: ArrayLike) -> NDArray[numpy.float32]:
        """Returns the features of samples in the range of 16-bit integers, frames x
        dim."""
        stream = self.stream()
        return numpy.concatenate([stream.push(samples), stream.finish()])

    def stream(self) -> FeatureStream:
        """Opens a `FeatureStream`."""
        return FeatureStream(self)


def _read_config(
    config: str | os.PathLike[str] | None, options: Mapping[str, str | float]
) -> str:
    """Returns the text of a configuration file, with options appended."""
    text = ""
    if config is not None:
        try:
            path = os.fspath(config)
            with open(path, encoding="utf-8") as file:
                text = file.read() + "\n"
        except TypeError as error:
            raise Error(
                "expects the path of a configuration file, but got "
                f"{type(config).__name__}"
            ) from error
        except OSError as error:
            raise Error(
                f"{path}: expects a configuration file, but got: {error.strerror}"
            ) from error
    for name, value in options.items():
        if isinstance(value, bool):
            value = str(value).lower()
        text += f"--{name.replace('_', '-')}={value}\n"
    return text


def mfcc(
    config: str | os.PathLike[str] | None = None, **options: str | float
) -> Features:
    """Mel-frequency cepstral coefficients.

    Args:
        config: path of a configuration file of Kaldi, such as conf/mfcc.conf.
        **options: options of such a file, with underscores: `mfcc(num_ceps=40)`.

    Raises:
        Error: an unknown option, a value out of its range, or a file that cannot
            be read.
    """
    return Features(True, _read_config(config, options))


def fbank(
    config: str | os.PathLike[str] | None = None, **options: str | float
) -> Features:
    """Log energies of mel filters; arguments as for `mfcc()`."""
    return Features(False, _read_config(config, options))
