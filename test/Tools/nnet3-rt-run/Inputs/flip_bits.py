#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Flips one bit of a library in many places and runs a command on each result.

    flip_bits.py LIBRARY DAMAGED COUNT COMMAND...

Writes each damaged library to DAMAGED. COMMAND must end with exit status 1 and
one line on standard error, which names an error. Flips a bit in each of the
first 64 bytes (the ELF header) and of the last 32 (the trailer), and in COUNT
bytes at equal distances between them.
"""

import subprocess
import sys

library, damaged, count, *command = sys.argv[1:]
whole = open(library, "rb").read()
middle = len(whole) - 96
places = [*range(64), *range(len(whole) - 32, len(whole))]
places += [64 + middle * i // int(count) for i in range(int(count))]
for place in places:
    data = bytearray(whole)
    data[place] ^= 1 << place % 8
    with open(damaged, "wb") as file:
        file.write(data)
    result = subprocess.run(command, capture_output=True, text=True, timeout=60)
    lines = result.stderr.splitlines()
    if result.returncode != 1 or len(lines) != 1 or "error: " not in lines[0]:
        sys.exit(f"byte {place}: status {result.returncode}: {result.stderr}")
print(f"{len(places)} errors")
