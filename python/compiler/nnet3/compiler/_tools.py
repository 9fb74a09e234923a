# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the tools of the package."""

import os
import pathlib
import re
import subprocess
import sys

from nnet3._runtime import Error

_BINARY = pathlib.Path(__file__).parent / "bin" / "nnet3-standalone"
_ERROR = re.compile(
    r"^(?:(?P<file>.*?):(?:(?P<line>\d+):(?:(?P<column>\d+):)?)? )?error: (?P<text>.*)$",
    re.MULTILINE,
)


class CompileError(Error):
    """An error of the compiler.

    Attributes:
        message: what is wrong.
        file, line, column: where; None where it has no place.
        output: all that the tool printed about it.
    """

    def __init__(self, output):
        match = _ERROR.search(output)
        self.output = output
        self.message = match["text"] if match else output.strip()
        self.file = match["file"] if match else None
        self.line = _to_int(match and match["line"])
        self.column = _to_int(match and match["column"])
        super().__init__(output.strip())


def _to_int(text):
    return int(text) if text else None


def run_tool(name, *arguments, input=None):
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
    stdin = {"stdin": subprocess.DEVNULL} if input is None else {"input": input}
    done = subprocess.run(
        [name, *map(os.fspath, arguments)],
        executable=_BINARY,
        capture_output=True,
        **stdin,
    )
    if done.returncode != 0:
        raise CompileError(done.stderr.decode(errors="replace"))
    return done.stdout


def main():
    """Becomes the tool whose name this program was called by."""
    name = os.path.basename(sys.argv[0])
    os.execv(_BINARY, [name, *sys.argv[1:]])
