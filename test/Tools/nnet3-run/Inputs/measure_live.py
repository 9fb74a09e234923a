# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the peak memory of nnet3-run --live for a short and a long utterance.

    measure_live.py FOLDER COMMAND...

Runs COMMAND MODEL FRAMES OUTPUT on utterances of 1000 and of a million frames.
Prints whether the peak memory of the second run is at most 8 MB above that of
the first one, and whether the outputs are right.
"""
import os
import subprocess
import sys

CONFIG = """input-node name=input dim=1
component name=sum type=NoOpComponent dim=1
component-node name=sum component=sum input=Sum(input, Offset(input, -3))
output-node name=output input=sum
"""
folder, *command = sys.argv[1:]


def measure(frames):
    """Peak memory of a run in bytes."""
    with open("frames", "w") as file:
        file.writelines(f"{frame % 7}\n" for frame in range(frames))
    process = subprocess.Popen(
        command + ["net.config", "frames", "outputs"],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{frames} frames: status {status}")
    with open("outputs") as file:
        rows = [int(line) for line in file if line.strip()]
    expected = [f % 7 + max(f - 3, 0) % 7 for f in range(frames)]
    print(frames, "frames:", "right" if rows == expected else "wrong")
    return usage.ru_maxrss * 1024


os.chdir(folder)
with open("net.config", "w") as file:
    file.write(CONFIG)
grown = measure(1000000) - measure(1000)
print("constant" if grown < 8e6 else f"grows by {grown} bytes")
