# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads assembly from stdin and describes the innermost loop that has the most
multiplications and additions of vectors:

    20 fmla, 8 loads, 0 of the stack

Instructions that match the regular expression in argument 1 are counted under
their mnemonics, those that match argument 2 as loads. Instructions that name
the stack pointer (or, in WebAssembly, calls) are counted last."""
import collections
import re
import sys

STACK = re.compile(r"\bw?sp\b|%rsp\b|__stack_pointer|^call\b|^bl?\s+\w+f$")


def read_instructions(lines):
    for line in lines:
        line = re.sub(r"\s+", " ", re.split(r"\s(//|@|#)\s|\t[@#]", line)[0])
        line = line.strip()
        if line and (line.endswith(":") or not line.startswith(".")):
            yield line


def find_loops(code):
    """(begin, end) of each loop: a branch back to a label, or a block of
    WebAssembly."""
    labels, blocks = {}, []
    for i, line in enumerate(code):
        words = line.split()
        if line.endswith(":"):
            labels[line[:-1]] = i
        elif words[0] == "loop":
            blocks.append(i)
        elif words[0] == "end_loop":
            yield blocks.pop(), i
        elif words[-1] in labels:
            yield labels[words[-1]], i


def find_inner_loops(code):
    loops = sorted(set(find_loops(code)))
    for loop in loops:
        begin, end = loop
        if not any(
            begin <= first and last <= end
            for first, last in loops
            if (first, last) != loop
        ):
            yield code[begin : end + 1]


def count(loop, pattern):
    return sum(bool(pattern.match(line)) for line in loop)


def find_loop(lines, arithmetic):
    """The innermost loop with the most instructions that match `arithmetic`."""
    code = list(read_instructions(lines))
    return max(find_inner_loops(code), key=lambda loop: count(loop, arithmetic))


def main():
    arithmetic, load = (re.compile(text) for text in sys.argv[1:3])
    loop = find_loop(sys.stdin, arithmetic)
    names = collections.Counter(
        line.split()[0] for line in loop if arithmetic.match(line)
    )
    parts = [f"{names[name]} {name}" for name in sorted(names)]
    stack = sum(bool(STACK.search(line)) for line in loop)
    parts += [f"{count(loop, load)} loads", f"{stack} of the stack"]
    print(", ".join(parts))


if __name__ == "__main__":
    main()
