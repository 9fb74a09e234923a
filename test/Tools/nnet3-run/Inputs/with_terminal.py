#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command whose error output is a terminal, and prints that output.

A carriage return is printed as <cr>, the code that clears a line as <clear>.
Exits with the command's status.
"""

import os
import pty
import subprocess
import sys


def main():
    terminal, end = pty.openpty()
    process = subprocess.Popen(sys.argv[1:], stderr=end)
    os.close(end)
    output = b""
    while True:
        try:
            output += os.read(terminal, 4096)
        except OSError:  # How a terminal that nobody holds any more ends.
            break
    text = output.decode().replace("\r\n", "\n")
    print(text.replace("\r", "<cr>").replace("\033[K", "<clear>"), end="")
    sys.exit(process.wait())


main()
