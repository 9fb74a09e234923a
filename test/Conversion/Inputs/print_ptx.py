# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the PTX of the gpu.binary of a module that is read."""
import re
import sys

found = re.search(r'assembly = "(.*?)"[,>]', sys.stdin.read(), re.DOTALL)
escaped = re.sub(r"\\([0-9A-F]{2})", lambda m: chr(int(m[1], 16)), found[1])
sys.stdout.write(escaped.replace("\\\\", "\\").rstrip("\0"))
