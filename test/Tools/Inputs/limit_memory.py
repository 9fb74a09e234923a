#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command within limits of memory (ulimit -v).

    limit_memory.py COMMAND...

COMMAND writes its files into the working folder. Without a limit it must
succeed. The limits begin where the dynamic linker can load the program. With
each, the command must succeed and write the same files, or end with exit status
1 and one error, and leave no file but an empty archive. Prints whether both
occur.
"""

import os
import resource
import subprocess
import sys
import tempfile

MIB = 1 << 20
STEPS = [0, 0.25, 0.5, 1, 2, 3, 4, 6, 8, 12, 16, 32, 48, 64, 96, 128, 192, 256]
STEPS += [512, 1024]
TIMEOUT = 60
NOT_LOADED = 127  # exit status of the dynamic linker


def run(limit):
    """Exit status, standard error and files of a run within `limit` MiB."""

    def set_limit():
        if limit is not None:
            size = int(limit * MIB)
            resource.setrlimit(resource.RLIMIT_AS, (size, size))

    with tempfile.TemporaryDirectory() as folder:
        try:
            result = subprocess.run(
                sys.argv[1:],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=TIMEOUT,
                preexec_fn=set_limit,
            )
        except subprocess.TimeoutExpired:
            sys.exit(f"{limit} MiB: hangs")
        files = {}
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), "rb") as file:
                files[name] = file.read()
    return result.returncode, result.stderr, files


def is_loaded(limit):
    try:
        return run(limit)[0] != NOT_LOADED
    except (OSError, subprocess.SubprocessError):  # not even started
        return False


def find_least_limit():
    """The least limit, to a quarter of a MiB, with which the program starts."""
    low, high = 0, 4096
    while high - low > 0.25:
        middle = (low + high) / 2
        low, high = (low, middle) if is_loaded(middle) else (middle, high)
    return high


def check(limit, expected):
    status, text, files = run(limit)
    if status == 0:
        if files != expected:
            sys.exit(f"{limit} MiB: other files: {sorted(files)}")
        return status
    errors = [
        line
        for line in text.splitlines()
        if "error: " in line and "note: " not in line
    ]
    if status != 1 or len(errors) != 1:
        sys.exit(f"{limit} MiB: status {status}: {text}")
    if any(files.values()):
        sys.exit(f"{limit} MiB: leaves {sorted(files)}")
    return status


def main():
    status, text, expected = run(None)
    if status != 0 or not any(expected.values()):
        sys.exit(f"no limit: status {status}: {text}")
    least = find_least_limit()
    seen = {check(least + step, expected) for step in STEPS}
    print("success and error" if seen == {0, 1} else f"only {seen}")


main()
