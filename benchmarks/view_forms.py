#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares `nnet3.sub_matrix` with `memref.subview`: the size of the text of a
view, and the processor time in which nnet3-opt reads, verifies and prints it.

    benchmarks/view_forms.py build/bin/nnet3-opt
"""
import resource
import subprocess
import sys

VIEWS, RUNS = 100000, 5


def write(form):
    """A function or a computation with many views of one matrix."""
    matrix = f"memref<{VIEWS}x110xf32>"
    if form == "sub_matrix":
        yield (
            'nnet3.network @net {\n  %x = nnet3.input_node "x" : !nnet3.rows<110>\n'
            '  nnet3.output_node "y", %x : !nnet3.rows<110>\n}\n'
            "nnet3.computation @c for @net {\n"
            f"  %m = nnet3.alloc_matrix_zeroed : {matrix}\n"
        )
    else:
        yield f"func.func @c() {{\n  %m = memref.alloc() : {matrix}\n"
    for i in range(VIEWS):
        view = (
            f"nnet3.sub_matrix %m[{i}, 20]"
            if form == "sub_matrix"
            else f"memref.subview %m[{i}, 20] [1, 20] [1, 1]"
        )
        part = f"memref<1x20xf32, strided<[110, 1], offset: {i * 110 + 20}>>"
        yield f"  %v{i} = {view} : {matrix} to {part}\n"
    yield "}\n" if form == "sub_matrix" else "  return\n}\n"


def measure(tool, text):
    """Seconds of processor time, the least of some runs."""
    times = []
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [tool, "--mlir-disable-threading", "-", "-o", "/dev/null"],
            input=text, text=True, check=True,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(
            after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        )
    return min(times)


for form in "sub_matrix", "subview":
    text = "".join(write(form))
    print(
        f"{form}: {len(text) / VIEWS:.0f} bytes, "
        f"{measure(sys.argv[1], text) / VIEWS * 1e6:.1f} us a view"
    )
