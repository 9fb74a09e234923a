# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""count_threads.py N FEATURES COMMAND...: runs the command with the features
as its standard input, which stays open until the process has N threads."""

import os
import subprocess
import sys
import time

number, features = int(sys.argv[1]), sys.argv[2]
environment = dict(os.environ, OPENBLAS_NUM_THREADS="1")
process = subprocess.Popen(sys.argv[3:], stdin=subprocess.PIPE, env=environment)
process.stdin.write(open(features, "rb").read())
process.stdin.flush()


def count():
    try:
        return len(os.listdir(f"/proc/{process.pid}/task"))
    except FileNotFoundError:
        return 0


deadline = time.monotonic() + 60
while count() != number and process.poll() is None:
    if time.monotonic() > deadline:
        break
    time.sleep(0.01)
print(f"{count()} threads")
process.stdin.close()
sys.exit(process.wait())
