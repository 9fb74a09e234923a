#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that product code names CPUs and their instruction sets in one place:
the table in lib/Target/Cpu. The runtime names what it looks for in the machine
that it runs on. Files (NAME.wasm) and linkers (wasm-ld) are no CPUs."""

import pathlib
import re
import sys

NAMES = re.compile(
    r"\b(avx\w*|sse\d[\w.]*|fma[34]|\w*vnni|amx\w*|neon|sve2?|i8mm|dotprod|rvv"
    r"|simd128|x86\w*|aarch64|arm64|riscv\d*|wasm\d+|(?<!\.)wasm(?!-ld)|znver\d|haswell|skylake"
    r"|alderlake|icelake|sapphirerapids|intel|amd|xeon|epyc|zen \d)\b",
    re.IGNORECASE,
)
ALLOWED = {
    "lib/Target/Cpu/": "the table",
    "runtime/cpu/math/": "loops that are compiled for several CPUs",
    "runtime/library/CpuFeatures.cpp": "whether this machine can run code",
    "runtime/include/nnet3/runtime/LibraryMachine.h": "numbers in ELF files",
    "runtime/core/SpinWait.h": "the instruction for pauses",
    "tools/nnet3-standalone/": "the linkers of lld",
}
SUFFIXES = {".c", ".cpp", ".def", ".fbs", ".h", ".in", ".td"}


def main():
    root = pathlib.Path(sys.argv[1])
    count = 0
    for folder in ("include", "lib", "runtime", "tools"):
        for path in sorted((root / folder).rglob("*")):
            name = str(path.relative_to(root))
            if path.suffix not in SUFFIXES or "/test/" in name:
                continue
            if any(name.startswith(allowed) for allowed in ALLOWED):
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if match := NAMES.search(line):
                    print(f"{name}:{number}: names {match.group()}")
                    count += 1
    print(f"{count} names")
    sys.exit(count > 0)


main()
