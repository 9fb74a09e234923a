#!/usr/bin/env python3
"""Runs the README's commands, and looks for its MLIR in what they print.

    run_readme.py SOURCE_ROOT PATH_OF_A_TOOL

Blocks that build something or name files that we do not ship are left out. Dots
in the MLIR stand for anything.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

# What marks the blocks left out.
OTHER = "scripts/|cmake|model.raw"


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
    for language, block in blocks:
        if language == "sh" and not re.search(OTHER, block):
            printed += run(block, root, tools)
            commands += 1
    missing = 0
    for language, block in blocks:
        for line in block.splitlines() if language == "mlir" else ():
            pattern = re.escape(line.strip()).replace(r"\.\.\.", ".*")
            if not re.search(rf"^ *{pattern}$", printed, re.M):
                print("no command prints:", line)
                missing += 1
    print(commands, "blocks of commands")
    sys.exit(bool(missing))


main()
