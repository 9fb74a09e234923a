#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lets espeak-ng speak connected digits, and writes them as tables of WAV files.

Each utterance has its own voice, speed, pitch, room, noise and level. The
training has some of espeak-ng's voices and as many made up ones; the test has
others of espeak-ng's.
"""

import argparse
import concurrent.futures
import io
import os
import shutil
import struct
import subprocess
import wave

import numpy as np

RATE = 8000
# A training utterance has this many samples: 3 seconds, 300 frames.
LENGTH = 3 * RATE
DIGITS = "zero one two three four five six seven eight nine".split()

ACCENTS = "en-us en-gb en-gb-x-rp en-gb-scotland en-gb-x-gbclan en-029 en-us-nyc".split()
TRAIN_VOICES = """
m1 m2 m3 m4 m6 f1 f2 f4 adam Alex Andy Annie antonio belinda benjamin boris caleb
david Denis Diogo ed edward Gene gustave Henrique Hugo iven iven2 john linda
marcelo Marco max Michael miguel Mike pablo paul pedro quincy rob robert steph
steph2 zac anika grandpa klatt klatt2 klatt3 sandro shelby
""".split()
# Voices that are made up, for the training. espeak-ng takes no more than 349
# voices and languages from one folder.
FOLDERS, VOICES_OF_FOLDER = 4, 100
TEST_VOICES = "m5 m7 m8 f3 f5 Alicia Andrea Lee Mario travis victor grandma".split()


def describe_voice(random):
    """The file of a voice: pitch, and the frequency, height and width of each
    formant in percent, among others (documented by espeak-ng, under voices)."""
    base = random.integers(60, 220)
    lines = ["language variant", f"pitch {base} {base + random.integers(15, 100)}",
             f"flutter {random.integers(0, 20)}", f"roughness {random.integers(0, 4)}",
             f"voicing {random.integers(40, 200)}",
             f"consonants {random.integers(40, 190)} {random.integers(40, 190)}"]
    size = random.uniform(80, 125)
    flatness = random.uniform(0.1, 0.8)
    for formant in range(9):
        frequency = size * random.uniform(0.9, 1.1)
        height = 100 * np.exp(-abs(random.normal(0, flatness)))
        if formant > 2 and random.random() < 0.15:
            height = random.uniform(0, 30)
        width = random.uniform(60, 150)
        lines.append(f"formant {formant} {frequency:.0f} {height:.0f} {width:.0f}")
    if random.random() < 0.2:
        lines.append(f"echo {random.integers(10, 60)} {random.integers(10, 50)}")
    if random.random() < 0.2:
        lines.append("breath " + " ".join(str(random.integers(0, 8)) for _ in range(8)))
    return "\n".join(lines) + "\n"


def make_voices(root):
    """Folders with copies of espeak-ng's data and voices that are made up: the
    pairs of the folder and the name."""
    version = subprocess.run(["espeak-ng", "--version"], check=True, capture_output=True)
    given = version.stdout.decode().split("Data at: ")[1].strip()
    random = np.random.default_rng(3000000)
    voices = []
    for i in range(FOLDERS):
        folder = f"{root}/voices{i}"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(given, f"{folder}/espeak-ng-data", copy_function=os.symlink,
                        ignore=lambda path, names: names if path.endswith("!v") else [])
        for j in range(VOICES_OF_FOLDER):
            with open(f"{folder}/espeak-ng-data/voices/!v/made{j}", "w") as file:
                file.write(describe_voice(random))
            voices.append((folder, f"made{j}"))
    return voices


def speak(random, voices, digits, is_train):
    """What espeak-ng makes of the digits, at RATE, without silence around it.
    Tape that runs faster or slower makes more voices of those of the training."""
    folder, name = voices[random.integers(len(voices))]
    voice = f"{random.choice(ACCENTS)}+{name}"
    text = " ".join(digit + random.choice(["", "", "", ","]) for digit in digits)
    command = ["espeak-ng", "-v", voice, "-s", str(random.integers(110, 221)),
               "-p", str(random.integers(20, 81)), "--stdout", text]
    if folder:
        command.insert(1, f"--path={folder}")
    run = subprocess.run(command, check=True, capture_output=True)
    if run.stderr:
        # It would speak with another voice.
        raise RuntimeError(run.stderr.decode())
    output = run.stdout
    with wave.open(io.BytesIO(output)) as sound:
        rate = sound.getframerate()
        samples = np.frombuffer(sound.readframes(1 << 30), np.int16).astype(np.float64)
    loud = np.flatnonzero(np.abs(samples) > 0.01 * np.abs(samples).max())
    tape = random.uniform(0.85, 1.2) if is_train else 1
    return resample(samples[loud[0]:loud[-1] + 1], rate * tape)


def resample(samples, rate):
    """From `rate` to RATE, without what is above RATE / 2."""
    length = int(len(samples) * RATE / rate)
    spectrum = np.fft.rfft(samples)[:length // 2 + 1]
    return np.fft.irfft(spectrum, length) * length / len(samples)


def reverberate(random, samples):
    """Convolves with an exponentially falling noise behind the direct sound."""
    seconds = random.uniform(0.1, 0.4)
    times = np.arange(int(seconds * RATE)) / RATE
    room = random.normal(size=len(times)) * np.exp(-6.9 * times / seconds)
    room *= random.uniform(0.1, 0.6) / np.linalg.norm(room)
    room[0] += 1
    length = 1 << (len(samples) + len(room)).bit_length()
    product = np.fft.rfft(samples, length) * np.fft.rfft(room, length)
    return np.fft.irfft(product, length)[:len(samples)]


def make_noise(random, length):
    """Noise whose power falls with frequency, more or less steeply; norm 1."""
    spectrum = np.fft.rfft(random.normal(size=length))
    spectrum /= np.arange(1, len(spectrum) + 1) ** random.uniform(0, 0.8)
    noise = np.fft.irfft(spectrum, length)
    return noise / np.linalg.norm(noise)


def make_utterance(seed, voices, is_train):
    """Digits, and how they sound."""
    random = np.random.default_rng(seed)
    digits = list(random.choice(DIGITS, random.integers(1, 8)))
    speech = speak(random, voices, digits, is_train)
    while is_train and len(speech) > LENGTH - RATE // 5:
        digits.pop()
        speech = speak(random, voices, digits, is_train)
    length = LENGTH if is_train else len(speech) + random.integers(RATE // 4, RATE // 2)
    before = random.integers(RATE // 20, length - len(speech) - RATE // 20)
    samples = np.zeros(length)
    samples[before:before + len(speech)] = speech
    if random.random() < 0.5:
        samples = reverberate(random, samples)
    signal_to_noise = random.uniform(10, 35)
    samples += (make_noise(random, length) * np.linalg.norm(speech)
                * np.sqrt(length / len(speech)) * 10 ** (-signal_to_noise / 20))
    samples *= 10 ** random.uniform(3.2, 4.4) / np.abs(samples).max()
    return digits, samples.astype(np.int16)


def to_wav(samples):
    header = b"RIFF" + struct.pack("<I", 36 + 2 * len(samples)) + b"WAVEfmt "
    header += struct.pack("<IHHIIHH", 16, 1, 1, RATE, 2 * RATE, 2, 16)
    return header + b"data" + struct.pack("<I", 2 * len(samples)) + samples.tobytes()


def write_set(folder, count, first_seed, voices, is_train):
    """Writes `count` utterances: wav.ark, and text with their digits."""
    os.makedirs(folder, exist_ok=True)
    with concurrent.futures.ProcessPoolExecutor() as pool, \
            open(f"{folder}/wav.ark", "wb") as sounds, open(f"{folder}/text", "w") as text:
        made = pool.map(make_utterance, range(first_seed, first_seed + count),
                        [voices] * count, [is_train] * count, chunksize=16)
        for number, (digits, samples) in enumerate(made):
            key = f"utt{number:05}"
            sounds.write(key.encode() + b" " + to_wav(samples))
            text.write(f"{key} {' '.join(digits)}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--train", type=int, default=11000, help="training utterances")
    parser.add_argument("--test", type=int, default=400, help="test utterances")
    parser.add_argument("folder")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    voices = [(None, name) for name in TRAIN_VOICES] + make_voices(options.folder)
    write_set(f"{options.folder}/train", options.train, 1000000, voices, True)
    write_set(f"{options.folder}/test", options.test, 2000000,
              [(None, name) for name in TEST_VOICES], False)


if __name__ == "__main__":
    main()
