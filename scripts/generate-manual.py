#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes manual pages, and completions for bash, zsh and fish, from what the
tools print about their options.

    generate-manual.py --version=VERSION --date=DATE TOOL OUTPUT_FOLDER

TOOL is an executable; OUTPUT_FOLDER is laid out as the folder share of an
installation.
"""

import argparse
import pathlib
import subprocess
import sys

from manual.completions import make_bash, make_fish, make_zsh
from manual.help_text import read_help
from manual.man_page import make_man_page


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--version", required=True)
    parser.add_argument("--date", required=True)
    parser.add_argument("tool", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    arguments = parser.parse_args()
    text = subprocess.run(
        [arguments.tool.absolute(), "--help"], capture_output=True, text=True, check=True
    ).stdout
    tool = arguments.tool.name
    try:
        help = read_help(text)
    except ValueError as error:
        sys.exit(f"error: {tool} --help: {error}")
    files = {
        f"man/man1/{tool}.1": make_man_page(tool, help, arguments.version, arguments.date),
        f"bash-completion/completions/{tool}": make_bash(tool, help),
        f"zsh/vendor-completions/_{tool}": make_zsh(tool, help),
        f"fish/vendor_completions.d/{tool}.fish": make_fish(tool, help),
    }
    for name, content in files.items():
        path = arguments.output / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


main()
