#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes random utterances from which the egs programs cut training examples.

    random-examples.py [--utterances=704] [--frames=150] [--subsampling=3] FOLDER

Writes features (40 columns), i-vectors (100 columns, one for ten frames) and
classes (3,000, one for each frame of output): FOLDER/features.ark,
FOLDER/ivectors.ark and FOLDER/classes.txt, for the networks in
benchmarks/networks.
"""
import argparse
import os
import struct

import numpy


def write(table, key, matrix):
    """Kaldi's binary format of float matrices."""
    table.write(key.encode() + b" \0BFM " + struct.pack("<bibi", 4, matrix.shape[0], 4,
                                                        matrix.shape[1]))
    table.write(matrix.astype("<f4").tobytes())


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--utterances", type=int, default=704)
    parser.add_argument("--frames", type=int, default=150)
    parser.add_argument("--subsampling", type=int, default=3)
    parser.add_argument("folder")
    options = parser.parse_args()
    random = numpy.random.default_rng(0)
    os.makedirs(options.folder, exist_ok=True)
    with open(f"{options.folder}/features.ark", "wb") as features, \
            open(f"{options.folder}/ivectors.ark", "wb") as ivectors, \
            open(f"{options.folder}/classes.txt", "w") as classes:
        for utterance in range(options.utterances):
            key = f"utterance{utterance:04}"
            write(features, key, random.standard_normal((options.frames, 40)))
            write(ivectors, key, random.standard_normal((-(-options.frames // 10), 100)))
            chosen = random.integers(0, 3000, -(-options.frames // options.subsampling))
            classes.write(key + "".join(f" [ {number} 1 ]" for number in chosen) + "\n")


if __name__ == "__main__":
    main()
