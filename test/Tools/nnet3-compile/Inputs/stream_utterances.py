#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Streams utterances through a program: PROGRAM FRAMES IVECTOR SEED, as
use_stream.c. Features and i-vectors come in text archives; the outputs go to
standard output as one."""

import pathlib
import subprocess
import sys
import tempfile


def read(path):
    """Rows of numbers by key."""
    records = {}
    for record in pathlib.Path(path).read_text().split("]"):
        key, _, rows = record.partition("[")
        if key.strip():
            lines = [line.split() for line in rows.splitlines() if line.strip()]
            records[key.strip()] = lines
    return records


def write(path, rows):
    lines = [f"{len(rows)} {len(rows[0])}"] + [" ".join(row) for row in rows]
    path.write_text("\n".join(lines))


def main():
    program, features, ivectors, seed = sys.argv[1:]
    ivectors = read(ivectors)
    with tempfile.TemporaryDirectory() as folder:
        frames, ivector = pathlib.Path(folder, "x"), pathlib.Path(folder, "i")
        for key, rows in read(features).items():
            write(frames, rows)
            write(ivector, ivectors[key])
            output = subprocess.run(
                [program, frames, ivector, seed],
                check=True,
                capture_output=True,
                text=True,
            )
            sys.stderr.write(output.stderr)
            print(f"{key}  [\n{output.stdout.rstrip()} ]")


if __name__ == "__main__":
    main()
