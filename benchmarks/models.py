# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of benchmarks/networks whose batch norm has plausible statistics."""
import os
import random
import re
import subprocess
import sys

CONTEXTS = {  # frames on the left and on the right of a chunk
    "tdnn": (16, 10),
    "tdnnf": (41, 41),
    "lstmp": (42, 2),
    "blstm": (42, 42),
    "cnn": (15, 15),
    "xvector": (7, 7),
}
# More frames on the left of a chunk, for networks that benchmarks/gpu has.
EXTRA_LEFT = {"tdnnf": 0, "lstmp": 40}
_DIRECTORY = os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "networks"
)


def execute(command):
    """Runs a tool; gives what it writes to stderr."""
    try:
        result = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    except OSError as error:
        sys.exit(f"error: {error}")
    if result.returncode != 0:
        sys.exit(result.stderr)
    return result.stderr


def get_config(name):
    return os.path.join(_DIRECTORY, f"{name}.config")


def get_dims(name):
    """The input nodes of a network and their dimensions."""
    with open(get_config(name)) as config:
        nodes = re.findall(
            r"(?m)^input-node name=(\w+) dim=(\d+)", config.read()
        )
    return [(node, int(dim)) for node, dim in nodes]


def write_rows(file, rows, columns):
    """Normally distributed rows, each of which resembles the one before."""
    values = [0.0] * columns
    for row in range(rows):
        values = [0.8 * x + random.gauss(0, 0.6) for x in values]
        file.write(" ".join(f"{x:.5f}" for x in values))
        file.write(" ]\n" if row == rows - 1 else "\n")


def write_model(nnet3_run, scratch, name, model):
    """Writes the network of that name to `model`, with parameters of seed 1 and
    the statistics of 32 chunks of 30 frames in training mode."""
    left, right = CONTEXTS[name]
    arguments = []
    with open(f"{scratch}/request", "w") as request:
        for node, dim in get_dims(name):
            begin, end = (-left, 30 + right) if node == "input" else (0, 1)
            request.write(f"input name={node} n=0:31 t={begin}:{end - 1}\n")
            with open(f"{scratch}/{node}", "w") as matrix:
                matrix.write(" [\n")
                write_rows(matrix, 32 * (end - begin), dim)
            arguments.append(f"--input={node}={scratch}/{node}")
        request.write("output name=output n=0:31 t=0:27:3\n")
        request.write("store-component-stats=true\n")
    arguments += [f"--request={scratch}/request", f"--model-stats={model}"]
    execute([nnet3_run, "--init-seed=1"] + arguments + [get_config(name)])
