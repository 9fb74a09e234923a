#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Streams utterances through examples/cpp/stream_frames.cpp: a program that reads
frames and writes outputs as lines, with the i-vector as its arguments. Features
and i-vectors come in text archives; the outputs go to standard output as one."""

import subprocess
import sys

from stream_utterances import read


def main():
    program, features, ivectors = sys.argv[1:]
    ivectors = read(ivectors)
    for key, rows in read(features).items():
        frames = "".join(" ".join(row) + "\n" for row in rows)
        output = subprocess.run(
            [program, *ivectors[key][0]],
            input=frames,
            check=True,
            capture_output=True,
            text=True,
        )
        print(f"{key}  [\n{output.stdout.rstrip()} ]")


main()
