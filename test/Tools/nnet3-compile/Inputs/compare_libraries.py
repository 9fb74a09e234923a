# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints how far the outputs of two libraries of one network are apart."""
import sys

import numpy
from nnet3_library import Library

first, second, prefix, request = sys.argv[1:]
random = numpy.random.default_rng(1)
_, inputs, _ = Library(first, prefix).signature(request)
features = {
    m.name: random.standard_normal((m.rows, m.cols), numpy.float32)
    for m in inputs
}


def run(path, threads):
    return Library(path, prefix).run(request, features, threads)["output"]


expected = run(first, 1)
for threads in (1, 2, 3, 8):
    outputs = run(second, threads)
    same = outputs.shape == expected.shape and numpy.allclose(
        outputs, expected, rtol=1e-4, atol=1e-4)
    print(threads, "equal" if same else "DIFFERENT")
