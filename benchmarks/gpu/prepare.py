#!/usr/bin/python3
"""Makes what compare.py needs on a machine with a GPU.

    benchmarks/gpu/prepare.py [--bin=build/bin] [--target=cuda] FOLDER

For tdnnf and lstmp: the model, and a library for chunks of 150 frames with an
output for every third, its weights in a file beside it. With --target=cpu
compare.py checks its numbers on a machine without a GPU.
"""
import argparse
import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import models

EXTRA_LEFT = {"tdnnf": 0, "lstmp": 40}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", default="build/bin")
    parser.add_argument("--target", default="cuda")
    parser.add_argument("--sequences", default="1,64,512")
    parser.add_argument("folder")
    options = parser.parse_args()
    random.seed(1)
    os.makedirs(options.folder, exist_ok=True)
    for name, extra in EXTRA_LEFT.items():
        model = f"{options.folder}/{name}.raw"
        with tempfile.TemporaryDirectory() as scratch:
            run = f"{options.bin}/nnet3-run"
            models.write_model(run, scratch, name, model)
        models.execute(
            [
                f"{options.bin}/nnet3-compile",
                f"--target={options.target}",
                "--chunk=150",
                "--frame-subsampling-factor=3",
                f"--extra-left-context={extra}",
                f"--sequences={options.sequences}",
                "--weights=file",
                "-o",
                f"{options.folder}/{name}",
                model,
            ]
        )


if __name__ == "__main__":
    main()
