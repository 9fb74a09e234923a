# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import sys

import numpy
from nnet3_library import Library


def read(path):
    rows = open(path).read().strip(" []\n").split("\n")
    return numpy.array([row.split() for row in rows], numpy.float32)


library = Library(sys.argv[1], "net")
features, expected = read(sys.argv[2]), read(sys.argv[3])


def run(seed):
    return library.run("request", {"input": features}, seed=seed)["output"]


if numpy.allclose(run(0), expected, rtol=1e-5) and expected.any():
    print("the same as the interpreter")
if not numpy.allclose(run(1), expected):
    print("other numbers for another seed")
