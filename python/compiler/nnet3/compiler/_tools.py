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
        message: what is wrong.
        file, line, column: where; None where it has no place.
        byte: offset in a binary file, else None.
        output: all that the tool printed about it.
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
        name: such as `nnet3-opt`, or a program of Kaldi, such as `nnet3-info`.
        *arguments: of its command line.
        input: text or bytes for its standard input.

    Returns:
        bytes of its standard output.

    Raises:
        CompileError: it ended with an error.
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
    """Becomes the tool whose name this program was called by."""
    name = os.path.basename(sys.argv[0])
    os.execv(_BINARY, [name, *sys.argv[1:]])
