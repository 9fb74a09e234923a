# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the models `net` and `other` that one shared library has."""

import sys

import numpy
from nnet3_library import Library

for prefix, request in (("net", "chunk30"), ("other", "chunk60")):
    library = Library(sys.argv[1], prefix)
    _, inputs, _ = library.signature(request)
    values = {m.name: numpy.zeros((m.rows, m.cols)) for m in inputs}
    output = library.run(request, values)["output"]
    assert numpy.isfinite(output).all()
    print(f"{prefix}: {output.shape}")
