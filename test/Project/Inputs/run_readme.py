#!/usr/bin/env python3
"""Runs the README's commands, and looks for its MLIR in what they print.

    run_readme.py SOURCE_ROOT PATH_OF_A_TOOL

Blocks that build something are left out. Dots in the MLIR stand for anything. A
command that prints more than a reader would look at is an error.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

# What marks the blocks left out.
OTHER = "scripts/|cmake"

# Bytes that a block may print.
MAX_PRINTED = 40000


def run(command, root, tools):
    """The output of a command, with the checkout's folders as the README
    knows them."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "build").mkdir()
        (folder / "build/bin").symlink_to(tools)
        for name in ("examples", "test"):
            (folder / name).symlink_to(root / name)
        return subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command],
            cwd=folder,
            stdout=subprocess.PIPE,
            check=True,
            text=True,
        ).stdout


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    tools = pathlib.Path(sys.argv[2]).resolve().parent
    text = (root / "README.md").read_text()
    blocks = re.findall(r"^```(sh|mlir)\n(.*?)^```", text, re.M | re.S)
    printed = ""
    commands = 0
    wrong = 0
    for language, block in blocks:
        if language == "sh" and not re.search(OTHER, block):
            output = run(block, root, tools)
            if len(output) > MAX_PRINTED:
                print("prints", len(output), "bytes:", block)
                wrong += 1
            printed += output
            commands += 1
    for language, block in blocks:
        for line in block.splitlines() if language == "mlir" else ():
            pattern = re.escape(line.strip()).replace(r"\.\.\.", ".*")
            if not re.search(rf"^ *{pattern}$", printed, re.M):
                print("no command prints:", line)
                wrong += 1
    print(commands, "blocks of commands")
    sys.exit(bool(wrong))


main()
