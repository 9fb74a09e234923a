#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that every source file names the license.

    check-spdx.py [--fix] [ROOT]

Among the first lines of each C, C++, TableGen, FlatBuffers, Python, shell and
CMake file stands the SPDX line. Inputs of tests other than scripts are left
out. Prints the files without it, and exits with status 1 if there are any; with --fix, adds it.
"""

import argparse
import pathlib
import re
import sys

LINE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
SLASHES = {".cpp", ".h", ".hpp", ".c", ".td", ".def", ".fbs"}
HASHES = {".py", ".sh", ".cmake"}
# The line must be in this many lines from the beginning.
HEAD = 8


def sources(root):
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        if any(re.match(r"build(-|$)|\.", part) for part in parts):
            continue
        if parts[:2] == ("test", "Inputs") or not path.is_file():
            continue
        if parts[0] == "test" and "Inputs" in parts and path.suffix != ".py":
            continue
        if path.suffix in SLASHES | HASHES or path.name == "CMakeLists.txt":
            yield path


def has_line(text):
    return any(LINE in line for line in text.splitlines()[:HEAD])


def add_line(path, text):
    """The text with the line: behind LLVM's title line or the interpreter's,
    or in front of everything."""
    first, rest = (text.split("\n", 1) + [""])[:2]
    if path.suffix not in SLASHES:
        if first.startswith("#!"):
            return f"{first}\n# {LINE}\n{rest}"
        return f"# {LINE}\n{text}"
    if first.startswith("//==="):
        return f"{first}\n//\n// {LINE}\n{rest}"
    if first.startswith("/*") or path.suffix == ".c":
        return f"/* {LINE} */\n{text}"
    if first.startswith("//"):
        return f"// {LINE}\n//\n{text}"
    return f"// {LINE}\n\n{text}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fix", action="store_true")
    parser.add_argument("root", nargs="?", default=".")
    arguments = parser.parse_args()
    root = pathlib.Path(arguments.root).resolve()
    missing = 0
    for path in sources(root):
        text = path.read_text()
        if has_line(text):
            continue
        if arguments.fix:
            path.write_text(add_line(path, text))
        else:
            print(f"{path.relative_to(root)}: no SPDX line")
            missing += 1
    sys.exit(missing > 0)


main()
