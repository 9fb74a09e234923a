#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns what `node --print-wasm-code` prints into assembly with labels, as
inner_loop.py reads it.

The check for interrupts, at the beginning of each of V8's loops, is left out, and
so is the code behind the function's end, which that check goes to.
Addresses in the frame, where V8 keeps vectors that have no register, name
%rsp."""
import re
import sys

LINE = re.compile(r"0x[0-9a-f]+ +([0-9a-f]+) +[0-9a-f]+ +(.*)")
JUMP = re.compile(r"(\w+) 0x[0-9a-f]+ +<\+0x([0-9a-f]+)>")


def print_function(number, lines):
    ends = [i for i, (_, text) in enumerate(lines) if text.startswith("ret")]
    lines = lines[: ends[-1] + 1] if ends else lines
    jumps = (JUMP.match(text) for _, text in lines)
    targets = {jump[2] for jump in jumps if jump}
    for offset, text in lines:
        if offset in targets:
            print(f"f{number}_{offset}:")
        text = JUMP.sub(rf"\1 f{number}_\2", text)
        if not re.match(r"(REX\.W )?cmpq rsp,", text):
            text = re.sub(r"^REX\.W ", "", text)
            if "xmm" in text:
                text = text.replace("[rbp-", "[%rsp-")
            print("\t" + text)


def main():
    functions = []
    for line in sys.stdin:
        match = LINE.match(line)
        if line.startswith("--- WebAssembly code"):
            functions.append([])
        elif match and functions:
            functions[-1].append(match.groups())
    for number, lines in enumerate(functions):
        print_function(number, lines)


main()
