#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the memory that the tools take with a model of 100 million parameters.

    import-memory.py [--build=build] [--layers=24] [--dim=2048]

Makes a model of that many square layers in a temporary folder, and prints for
each tool the peak of its memory in megabytes and in sizes of the model's file.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile


def write_config(path, layers, dim):
    lines = [f"input-node name=input dim={dim}"]
    previous = "input"
    for i in range(layers):
        # Without something between them, affine maps would be multiplied out.
        for name, component in (
            (f"affine{i}", f"AffineComponent input-dim={dim} output-dim={dim}"),
            (f"relu{i}", f"RectifiedLinearComponent dim={dim}"),
        ):
            lines.append(f"component name={name} type={component}")
            lines.append(
                f"component-node name={name} component={name} input={previous}"
            )
            previous = name
    lines.append(f"output-node name=output input={previous}")
    path.write_text("\n".join(lines) + "\n")


def measure(arguments, folder):
    """Peak memory of a command in bytes."""
    process = subprocess.Popen(arguments, cwd=folder, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"failed: {' '.join(map(str, arguments))}")
    return usage.ru_maxrss * 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default="build")
    parser.add_argument("--layers", type=int, default=24)
    parser.add_argument("--dim", type=int, default=2048)
    options = parser.parse_args()
    tools = options.build.resolve() / "bin"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_config(folder / "big.config", options.layers, options.dim)
        subprocess.run(
            [tools / "nnet3-translate", "--config-to-raw", "big.config", "-o", "big.raw"],
            cwd=folder,
            check=True,
        )
        (folder / "request").write_text(
            "input name=input t=0:3\noutput name=output t=0:3\n"
        )
        row = " ".join(["0.1"] * options.dim)
        (folder / "input").write_text(" [\n" + (row + "\n") * 4 + "]\n")
        size = (folder / "big.raw").stat().st_size
        print(f"model: {size / 1e6:.0f} MB")
        commands = {
            "nnet3-translate --raw-to-mlir": "nnet3-translate --raw-to-mlir big.raw -o big.mlirbc",
            "nnet3-copy model": "nnet3-copy model big.raw copy.raw",
            "nnet3-run": "nnet3-run --print-args=false --request=request "
            "--input=input=input --output=output=/dev/null big.raw",
            "nnet3-compile": "nnet3-compile big.raw --request=request -o big",
        }
        for label, command in commands.items():
            tool, *arguments = command.split()
            peak = measure([tools / tool, *arguments], folder)
            print(f"{label:32} {peak / 1e6:6.0f} MB {peak / size:6.2f}")


if __name__ == "__main__":
    main()
