#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes sound-16k.wav and sound-8k.wav: half a second of a voice-like tone whose
pitch and formants move, with noise and a short pause. And vowels-16k.wav: three
synthetic vowels, whose upper bands have no energy but that of rounding."""

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


def make_vowels(rate):
    t = numpy.arange(rate // 8) / rate
    sounds = []
    for formants in ((730, 1090, 2440), (270, 2290, 3010), (300, 870, 2240)):
        sound = numpy.zeros(len(t))
        for frequency in range(110, 3000, 110):
            gain = numpy.prod(
                [f**2 / (abs(f**2 - frequency**2) + 80 * f) for f in formants]
            )
            sound += gain * numpy.cos(2 * numpy.pi * frequency * t)
        sounds.append(sound / abs(sound).max() * 32000)
    return numpy.round(numpy.concatenate(sounds)).astype("<i2")


def write_sound(name, rate, samples):
    with wave.open(str(FOLDER / name), "wb") as file:
        file.setparams((1, 2, rate, 0, "NONE", ""))
        file.writeframes(samples.tobytes())


for rate in (8000, 16000):
    write_sound(f"sound-{rate // 1000}k.wav", rate, make_sound(rate))
write_sound("vowels-16k.wav", 16000, make_vowels(16000))
