# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the tools that the golden tests compare."""
import subprocess

from compare import Failed


def execute(arguments, directory):
    """Runs a command, which must succeed; gives what it prints."""
    result = subprocess.run(
        arguments,
        cwd=directory,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=600,
    )
    output = result.stdout.decode(errors="replace").strip()
    if result.returncode != 0:
        raise Failed(f"exit status {result.returncode}: {output}")
    return output
