#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares features of nnet3-run --wav with those of kaldi-native-fbank.

Runs a network that copies its input over the sounds of test/Inputs/features,
with each configuration there. expected.ark has what kaldi-native-fbank (PyPI)
gave; --oracle computes it again in the place of reading it, --write writes it.

Each row may differ by TOLERANCE of its norm, and each number by TOLERANCE, or
by TOLERANCE of its size if it is above 1. The second does not hold for vowels,
where single cepstra of the oracle differ by 0.005 from those in double
precision.
"""

import argparse
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

import numpy

import kaldi_files

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "Inputs/features"
TOLERANCE = 1e-4
# Kaldi's names, by part of the oracle's options.
FRAME_NAMES = {
    "sample-frequency": "samp_freq",
    "frame-length": "frame_length_ms",
    "frame-shift": "frame_shift_ms",
    "preemphasis-coefficient": "preemph_coeff",
    "remove-dc-offset": "remove_dc_offset",
    "window-type": "window_type",
    "blackman-coeff": "blackman_coeff",
    "round-to-power-of-two": "round_to_power_of_two",
    "snip-edges": "snip_edges",
}
MEL_NAMES = {
    "num-mel-bins": "num_bins",
    "low-freq": "low_freq",
    "high-freq": "high_freq",
}
IGNORED = ("allow-downsample", "allow-upsample")


def read_config(path):
    """Options by name."""
    lines = [line.split("#")[0].strip() for line in path.open()]
    return dict(line[2:].split("=") for line in lines if line)


def set_option(target, name, text):
    old = getattr(target, name)
    if isinstance(old, bool):
        text = text == "true"
    setattr(target, name, type(old)(text))


def sound_of(path, config):
    name = "vowels" if path.stem.endswith("-vowels") else "sound"
    rate = int(config.get("sample-frequency", 16000))
    return FOLDER / f"{name}-{rate // 1000}k.wav"


def kind_of(path):
    return path.stem.split("-")[0]


def compute_expected(path):
    """The rows of kaldi-native-fbank with the configuration of a file."""
    try:
        import kaldi_native_fbank as oracle
    except ImportError:
        sys.exit("error: --oracle needs kaldi-native-fbank of PyPI")

    config = read_config(path)
    is_mfcc = kind_of(path) == "mfcc"
    options = oracle.MfccOptions() if is_mfcc else oracle.FbankOptions()
    options.frame_opts.dither = 0
    for name, text in config.items():
        if name in FRAME_NAMES:
            set_option(options.frame_opts, FRAME_NAMES[name], text)
        elif name in MEL_NAMES:
            set_option(options.mel_opts, MEL_NAMES[name], text)
        elif name not in IGNORED:
            set_option(options, name.replace("-", "_"), text)
    computer = (oracle.OnlineMfcc if is_mfcc else oracle.OnlineFbank)(options)
    sound = sound_of(path, config)
    samples = numpy.frombuffer(sound.read_bytes()[44:], "<i2")
    computer.accept_waveform(
        options.frame_opts.samp_freq, samples.astype(numpy.float32).tolist()
    )
    computer.input_finished()
    count = computer.num_frames_ready
    return numpy.array([computer.get_frame(i) for i in range(count)])


def compute_actual(run, path, dim):
    """The rows of nnet3-run."""
    sound = sound_of(path, read_config(path))
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "copy.config").write_text(
            f"input-node name=input dim={dim}\n"
            "output-node name=output input=input objective=linear\n"
        )
        command = [run, "--print-args=false", "--wav"]
        command += [f"--{kind_of(path)}-config={path}"]
        subprocess.run(
            command + [folder / "copy.config", sound, "ark,t:out.ark"],
            check=True,
            cwd=folder,
            stderr=subprocess.DEVNULL,
        )
        return next(
            iter(kaldi_files.read_text_archive(folder / "out.ark").values())
        )


def read_expected():
    """Matrices of expected.ark by key."""
    data = (FOLDER / "expected.ark").read_bytes()
    found, at = {}, 0
    while at < len(data):
        end = data.index(b" ", at)
        matrix = kaldi_files.parse_binary(data, end + 3)
        found[data[at:end].decode()] = matrix
        at = end + 3 + 13 + 4 * matrix.size
    return found


def write_expected(matrices):
    with open(FOLDER / "expected.ark", "wb") as file:
        for key, matrix in matrices.items():
            file.write(key.encode() + b" \0BFM ")
            file.write(struct.pack("<bibi", 4, len(matrix), 4, len(matrix[0])))
            file.write(matrix.astype("<f4").tobytes())


def compare(path, actual, expected):
    """Prints the differences. Whether the rows are equal."""
    if actual.shape != expected.shape:
        print(f"{path.stem}: {actual.shape} in the place of {expected.shape}")
        return False
    difference = abs(actual - expected)
    scale = numpy.maximum(abs(expected), 1)
    number = numpy.max(difference / scale)
    norm = numpy.linalg.norm(expected, axis=1)
    row = numpy.max(numpy.linalg.norm(difference, axis=1) / norm)
    print(
        f"{path.stem}: {len(expected)} rows, largest difference {number:.1e}, "
        f"of a row {row:.1e}"
    )
    is_vowels = path.stem.endswith("-vowels")
    return bool(row <= TOLERANCE and (is_vowels or number <= TOLERANCE))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=os.path.abspath, help="nnet3-run")
    parser.add_argument("--oracle", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()

    paths = sorted(FOLDER.glob("*.conf"), key=lambda path: path.stem)
    if options.oracle or options.write:
        expected = {path.stem: compute_expected(path) for path in paths}
    else:
        expected = read_expected()
    if options.write:
        write_expected(expected)
        return 0

    assert sorted(expected) == [path.stem for path in paths]
    num_equal = 0
    for path in paths:
        wanted = expected[path.stem]
        actual = compute_actual(options.run, path, wanted.shape[1])
        num_equal += compare(path, actual, wanted)
    print(f"{num_equal} of {len(paths)} equal")
    return num_equal < len(paths)


if __name__ == "__main__":
    sys.exit(main())
