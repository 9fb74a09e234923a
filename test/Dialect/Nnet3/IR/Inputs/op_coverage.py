#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that every operation of the dialect has a round-trip test and a test
of its diagnostics: its mnemonic occurs in a file that uses --verify-roundtrip,
and in an -invalid file, in the folder given."""

import json
import pathlib
import re
import subprocess
import sys


def main():
    tblgen, td, folder, *includes = sys.argv[1:]
    command = [tblgen, "--dump-json", td] + ["-I" + path for path in includes]
    records = json.loads(subprocess.check_output(command))
    round_trip, invalid = set(), set()
    for path in pathlib.Path(folder).rglob("*.mlir"):
        text = path.read_text()
        used = set(re.findall(r"nnet3\.(\w+)", text))
        if path.stem.endswith("-invalid"):
            invalid |= used
        elif "--verify-roundtrip" in text:
            round_trip |= used
    failed = False
    for name in records["!instanceof"]["Op"]:
        op = records[name]["opName"]
        for kind, used in (("round-trip", round_trip), ("invalid", invalid)):
            if op not in used:
                print(f"nnet3.{op} has no {kind} test")
                failed = True
    sys.exit(failed)


main()
