#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands of documents, and compares what they print with what the
documents show.

    run_page.py SOURCE_ROOT PATH_OF_A_TOOL PAGE...

The `sh` blocks of a page run in order, in a folder of their own that looks like
the checkout after a build. A block of `mlir` or `text` behind them is an
excerpt of what the last block of commands printed: lines that follow each
other. Three dots in a line stand for any text, alone for any lines. The comment
`<!-- not run: REASON -->` in front of a block leaves the block out. A block that
prints more than a reader would look at is an error.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(
    r"^(<!-- not run: [^>]* -->\n+)?```(\w+)\n(.*?)^```$", re.M | re.S
)
# Characters that a block may print.
MAX_PRINTED = 40000
FOLDERS = ("benchmarks", "docs", "examples", "runtime", "scripts", "test")


def matches(excerpt, printed):
    """Whether the lines of the excerpt are in the text."""
    pattern = ""
    for line in excerpt.splitlines():
        line = line.strip()
        if line == "...":
            pattern += r"(?:.*\n)*?"
        elif line:
            words = r"[ \t]+".join(re.escape(word) for word in line.split())
            pattern += r"[ \t]*" + words.replace(r"\.\.\.", ".*") + r"[ \t]*\n"
    return re.search("^" + pattern, printed, re.M) is not None


def run_page(page, root, tools):
    """Runs one page. Returns its problems and the number of its blocks of
    commands that ran."""
    problems, count, printed = [], 0, None
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "build").mkdir()
        (folder / "build/bin").symlink_to(tools)
        for name in FOLDERS:
            (folder / name).symlink_to(root / name)
        text = (root / page).read_text()
        for match in BLOCK.finditer(text):
            left_out, language, block = match.groups()
            where = f"{page}:{text.count(chr(10), 0, match.start(2)) + 1}"
            if left_out:
                continue
            if language == "sh":
                result = subprocess.run(
                    ["bash", "-euo", "pipefail", "-c", block],
                    cwd=folder,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                )
                count += 1
                printed = result.stdout
                if len(printed) > MAX_PRINTED:
                    problems.append(f"{where}: prints {len(printed)} characters")
                if result.returncode:
                    problems.append(f"{where}: status {result.returncode}\n{printed}")
            elif language in ("mlir", "text"):
                if printed is None:
                    problems.append(f"{where}: no command is in front of this block")
                elif not matches(block, printed):
                    problems.append(f"{where}: no command prints\n{block}")
    return problems, count


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    tools = pathlib.Path(sys.argv[2]).resolve().parent
    failed = False
    for page in sys.argv[3:]:
        problems, count = run_page(page, root, tools)
        print("\n".join(problems + [f"{page}: {count} blocks of commands"]))
        failed |= bool(problems)
    sys.exit(failed)


main()
