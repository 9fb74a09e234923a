#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that no two types of a namespace have the same name.

If inline functions have the same name, such as two destructors, the linker
keeps one of them, even if they belong to different types. Types in anonymous
namespaces and in functions may share names.
"""

import argparse
import collections
import pathlib
import re
import sys

FOLDERS = ("include", "lib", "python", "runtime", "tools")
# Comments, strings and characters, in which braces do not count.
IGNORED = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'',
    re.DOTALL,
)
TOKEN = re.compile(
    r"namespace\s*(?P<space>[\w:]*)\s*\{"
    r"|\b(?:struct|class|union)\s+(?:alignas\(\w+\)\s*)?(?P<type>\w+)(?:\s+final)?\s*(?::(?!:)[^;{]*)?\{"
    r"|\{|\}"
)


def find_types(text):
    """The qualified names of the types that a file defines, with their lines."""
    text = IGNORED.sub(lambda match: "\n" * match[0].count("\n"), text)
    scopes = []  # a namespace, or None for a type or a block
    for match in TOKEN.finditer(text):
        if match[0] == "}":
            if scopes:
                scopes.pop()
            continue
        if match["type"] and None not in scopes and "" not in scopes:
            name = "::".join([*scopes, match["type"]])
            yield name, text.count("\n", 0, match.start("type")) + 1
        scopes.append(match["space"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=pathlib.Path)
    root = parser.parse_args().root
    places = collections.defaultdict(list)
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".h", ".cpp"):
                for name, line in find_types(path.read_text()):
                    places[name].append(f"{path.relative_to(root)}:{line}")
    problems = {name: all for name, all in places.items() if len(all) > 1}
    for name, all in problems.items():
        print(f"{all[1]}: {name} is also the type of {all[0]}")
    sys.exit(bool(problems))


main()
