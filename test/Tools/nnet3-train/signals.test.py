# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sends signals to a program that reads an archive from its standard input.

    signals.test.py [--ignore] ARCHIVE SIGNAL,... COMMAND

Writes the first half of the archive, sends the signals (twice the same one with
a pause), and then writes the rest. With --ignore, the program starts with these
signals ignored. Prints its standard error, how it ended, and the files in the
current folder.
"""
import os
import signal
import subprocess
import sys
import time

ignore = sys.argv[1] == "--ignore"
archive, names, *command = sys.argv[1 + ignore :]
numbers = [signal.Signals["SIG" + name] for name in names.split(",")]


def prepare():
    for number in numbers:
        signal.signal(number, signal.SIG_IGN if ignore else signal.SIG_DFL)


with open(archive, "rb") as file:
    contents = file.read()
process = subprocess.Popen(
    command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=prepare
)
half = len(contents) // 2
process.stdin.write(contents[:half])
process.stdin.flush()
# Until the program waits for the rest.
before = None
while True:
    time.sleep(0.3)
    with open(f"/proc/{process.pid}/stat") as file:
        state, *fields = file.read().rsplit(")", 1)[1].split()
    if state == "S" and fields[10:12] == before:
        break
    before = fields[10:12]
for number in numbers:
    process.send_signal(number)
    time.sleep(0.2)
try:
    process.stdin.write(contents[half:])
    process.stdin.close()
except BrokenPipeError:
    pass
process.stdin = None
print(process.communicate()[1].decode(), end="")
code = process.returncode
how = f"by {signal.Signals(-code).name}" if code < 0 else f"with {code}"
print(f"ended {how}, files: {' '.join(sorted(os.listdir('.')))}")
