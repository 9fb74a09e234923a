# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that every option in the help text of a tool is in its manual page and
in what completes its command line in bash.

    check_manual.py SHARE_FOLDER TOOL...

Looks for options in the help text by itself, and lets bash call the completion.
"""
import pathlib
import re
import subprocess
import sys

COMPLETE = """
compopt() { :; }
source "$1"
COMP_WORDS=("$2" --) COMP_CWORD=1
_${2//-/_}
printf '%s\\n' "${COMPREPLY[@]}"
"""


def main():
    share, *tools = map(pathlib.Path, sys.argv[1:])
    failed = False
    for tool in tools:
        text = subprocess.run(
            [tool, "--help"], capture_output=True, text=True, check=True
        ).stdout
        known = set(re.findall(r"(?m)^ {2,}(--[\w.-]+)", text))
        known |= set(re.findall(r", (--[\w.-]+)=", text))
        # Options of passes are parts of their values.
        top = known - set(re.findall(r"(?m)^ {8}(--[\w.-]+)", text))
        page = (share / f"man/man1/{tool.name}.1").read_text().replace("\\-", "-")
        described = set(re.findall(r"(?m)^\\fB(--[\w.-]+)\\fR", page))
        completed = subprocess.run(
            ["bash", "-c", COMPLETE, "bash",
             share / f"bash-completion/completions/{tool.name}", tool.name],
            capture_output=True, text=True, check=True,
        ).stdout.split()
        completed = {word.rstrip("=") for word in completed}
        for place, missing in (
            ("manual", known - described),
            ("completion", top - completed),
            ("help", (described | completed) - known - {"--help", "--version"}),
        ):
            for option in sorted(missing):
                print(f"{tool.name}: {option} is not in the {place}")
                failed = True
        print(f"{tool.name}: {len(known)} options")
    sys.exit(failed)


main()
