#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes sound-16k.wav and sound-8k.wav: half a second of a voice-like tone whose
pitch and formants move, with noise and a short pause."""

import pathlib
import wave

import numpy

FOLDER = pathlib.Path(__file__).resolve().parent


def make_sound(rate):
    t = numpy.arange(int(0.45 * rate) + 37) / rate
    pitch = numpy.cumsum(110 + 60 * t) / rate
    sound = numpy.zeros(len(t))
    for harmonic in range(1, 25):
        frequency = harmonic * (110 + 60 * t)
        formants = sum(
            numpy.exp(-(((frequency - center - 400 * t) / 150) ** 2))
            for center in (600, 1400, 2600)
        )
        sound += (0.05 + formants) * numpy.sin(2 * numpy.pi * harmonic * pitch)
    sound += numpy.random.default_rng(1).normal(0, 0.02, len(t))
    sound[(t > 0.2) & (t < 0.25)] *= 0.001
    return numpy.round(sound / abs(sound).max() * 12000).astype("<i2")


for rate in (8000, 16000):
    with wave.open(str(FOLDER / f"sound-{rate // 1000}k.wav"), "wb") as file:
        file.setparams((1, 2, rate, 0, "NONE", ""))
        file.writeframes(make_sound(rate).tobytes())
