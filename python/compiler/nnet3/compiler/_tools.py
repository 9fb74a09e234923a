# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the tools of the package."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys

from nnet3._runtime import Error

_BINARY = pathlib.Path(__file__).parent / "bin" / "nnet3-standalone"
_NO_FILE = "<unknown>"
_ERROR = re.compile(
    r"^(?:(?P<file>.*?):(?:byte (?P<byte>\d+):|(?:(?P<line>\d+):"
    r"(?:(?P<column>\d+):)?)?)? )?error: (?P<text>.*)$",
    re.MULTILINE,
)


class CompileError(Error):
    """An error of the compiler.

    Attributes:
        message: error message.
        file, line, column: location of the error, or None.
        byte: offset in a binary file, or None.
        output: complete output of the tool about the error.
    """

    def __init__(self, output: str) -> None:
        match = _ERROR.search(output)
        found = match.groupdict() if match else {}
        if found.get("file") == _NO_FILE:
            found = {"text": found["text"]}

        def place(name: str) -> int | None:
            return int(found[name]) if found.get(name) else None

        self.output = output
        self.message: str = found.get("text", output.strip())
        self.file: str | None = found.get("file")
        self.line, self.column = place("line"), place("column")
        self.byte = place("byte")
        super().__init__(match[0] if match else output.strip())


def run_tool(
    name: str, *arguments: str | os.PathLike[str], input: str | bytes | None = None
) -> bytes:
    """Runs a tool.

    Args:
        name: name of a tool, such as `nnet3-opt`, or of a program of Kaldi, such
            as `nnet3-info`.
        *arguments: command-line arguments.
        input: text or bytes for the standard input.

    Returns:
        bytes of the standard output.

    Raises:
        CompileError: the tool has failed.
    """
    if isinstance(input, str):
        input = input.encode()
    done = subprocess.run(
        [name, *(os.fspath(argument) for argument in arguments)],
        executable=_BINARY,
        capture_output=True,
        input=input or b"",
    )
    if done.returncode != 0:
        raise CompileError(done.stderr.decode(errors="replace"))
    return done.stdout


def main() -> None:
    """Replaces this process by the tool of the same name."""
    name = os.path.basename(sys.argv[0])
    os.execv(_BINARY, [name, *sys.argv[1:]])
