# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a request of a library with different numbers of threads."""
import sys

import numpy
from nnet3_library import Error, Library

path, prefix, request = sys.argv[1:]
library = Library(path, prefix)
_, inputs, _ = library.signature(request)
random = numpy.random.default_rng(1)
features = {
    m.name: random.standard_normal((m.rows, m.cols), numpy.float32)
    for m in inputs
}


def run(threads):
    return library.run(request, features, threads)["output"].tobytes()


expected = run(1)
for threads in (2, 3, 8, 64):
    print(threads, "equal" if run(threads) == expected else "DIFFERENT")
try:
    run(-1)
except Error as error:
    print(error)
