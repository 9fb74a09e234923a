# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the peak memory of nnet3-run with the size of its output.

    measure_memory.py FOLDER COMMAND...

Runs COMMAND MODEL FEATURES OUTPUT on an utterance of 1 frame and on a long one,
with 2500 outputs for each frame. Prints whether the peak memory of the second
run exceeds that of the first one by at most 1.3 times the output's size.
"""
import os
import struct
import subprocess
import sys

OUTPUTS = 2500
FRAMES = 20000
CONFIG = f"""input-node name=input dim=1
component name=affine type=AffineComponent input-dim=1 output-dim={OUTPUTS}
component-node name=affine component=affine input=input
output-node name=output input=affine
"""
folder, *command = sys.argv[1:]


def measure(frames, wspecifier):
    """Peak memory of a run in bytes."""
    with open("features.ark", "wb") as file:
        file.write(b"a \0BFM \4" + struct.pack("<ibi", frames, 4, 1))
        file.write(struct.pack(f"<{frames}f", *(i % 7 for i in range(frames))))
    process = subprocess.Popen(
        command + ["net.config", "ark:features.ark", wspecifier],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{frames} frames: status {status}")
    return usage.ru_maxrss * 1024


os.chdir(folder)
with open("net.config", "w") as file:
    file.write(CONFIG)
size = 4 * OUTPUTS * (FRAMES - 1)
for wspecifier in ("ark:out.ark", "ark,t:/dev/null"):
    factor = (measure(FRAMES, wspecifier) - measure(1, wspecifier)) / size
    fits = factor <= 1.3
    print(wspecifier, "fits" if fits else f"takes {factor:.2f} times the output")
os.remove("out.ark")
