#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what LLVM's models of CPUs say of the inner loops of matmuls.

    benchmarks/inner-loops.py [--bin=build/bin] [--llvm=/usr/lib/llvm-22/bin]

For each CPU and precision, the script compiles one matmul of
test/Target/Cpu/Inputs/gemm.config. llvm-mca estimates the cycles of an iteration,
and the cycles of its multiply-adds alone. Their ratio is the fraction of the
model's peak. With --least, the exit status is 1 if a loop is below that fraction.
"""
import argparse
import os
import re
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
INPUTS = os.path.join(ROOT, "test/Target/Cpu/Inputs")
sys.path.insert(0, INPUTS)
from inner_loop import find_loop  # noqa: E402

AARCH64 = "aarch64-linux-gnu"
RISCV64 = "riscv64-linux-gnu"
CPUS = {
    "cortex-a72": AARCH64,
    "neoverse-n1": AARCH64,
    "neoverse-v1": AARCH64,
    "neoverse-v2": AARCH64,
    "cortex-x2": AARCH64,
    "a64fx": AARCH64,
    "sifive-p670": RISCV64,
}
# Multiply-add instructions for each precision; specialized ones come first.
PRODUCTS = {
    "f32": [r"v?fml?a|vfmacc|vfmadd"],
    "int8": [r"u?s?u?dot", r"smlal2?\b|vwmacc"],
}
# What llvm-mca cannot see in the loop: how long vectors are.
HEADERS = {
    (RISCV64, "f32"): ["# LLVM-MCA-RISCV-LMUL M1", "# LLVM-MCA-RISCV-SEW E32"],
    (RISCV64, "int8"): ["# LLVM-MCA-RISCV-LMUL M1", "# LLVM-MCA-RISCV-SEW E16"],
}
ROUNDS = 200


def run(arguments, text=None):
    return subprocess.run(
        arguments, input=text, capture_output=True, text=True, check=True
    ).stdout


def get_cycles(options, triple, cpu, precision, lines):
    """Cycles of a round."""
    report = run(
        [os.path.join(options.llvm, "llvm-mca"), "-mtriple=" + triple]
        + ["-mcpu=" + cpu, f"-iterations={ROUNDS}", "-instruction-info=false"]
        + ["-resource-pressure=false"]
        # Prefetches, of which not all models know.
        + ["-skip-unsupported-instructions=lack-sched"],
        "\n".join(HEADERS.get((triple, precision), []) + lines) + "\n",
    )
    return int(re.search(r"Total Cycles: +(\d+)", report)[1]) / ROUNDS


def measure(options, triple, cpu, precision):
    """The loop's instruction, how many of them, cycles, and the peak's."""
    assembly = run(
        [os.path.join(options.bin, "nnet3-compile"), "--emit=asm"]
        + ["--chunk=120", "--target=" + triple, "--target-cpu=" + cpu]
        + ["--precision=" + precision, os.path.join(INPUTS, "gemm.config")]
    )
    for pattern in PRODUCTS[precision]:
        product = re.compile(pattern)
        loop = find_loop(assembly.split("\n"), product)
        products = [line for line in loop if product.match(line)]
        if products:
            break
    cycles = get_cycles(options, triple, cpu, precision, loop)
    peak = get_cycles(options, triple, cpu, precision, products)
    name = products[0].split()[0]
    return name, len(products), cycles, peak


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build/bin"))
    parser.add_argument("--llvm", default="/usr/lib/llvm-22/bin")
    parser.add_argument("--least", type=float, default=0, help="percentage")
    options = parser.parse_args()
    print("| CPU | precision | loop | cycles | of the peak |")
    print("|---|---|---|---|---|")
    is_good = True
    for cpu, triple in CPUS.items():
        for precision in PRODUCTS:
            name, count, cycles, peak = measure(options, triple, cpu, precision)
            share = 100 * peak / cycles
            is_good &= share >= options.least
            print(
                f"| {cpu} | {precision} | {count} `{name}` | {cycles:.1f} "
                f"| {share:.0f}% |"
            )
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
