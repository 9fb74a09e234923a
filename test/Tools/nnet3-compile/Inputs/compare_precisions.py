# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs libraries of one network in f32, bf16, int16 and int8 on the same features."""

import sys

import numpy
from nnet3_library import Library

random = numpy.random.RandomState(1)
expected = None
for path, weights, smallest, largest in (
    (sys.argv[1], None, 0, 0),
    # Factors have errors of up to 2^-9 and, where the row's largest magnitude
    # is four times their own, 4 / 254; some layers add up.
    (sys.argv[2], None, 0.0005, 0.01),
    # 4 / 4095 for int16.
    (sys.argv[3], None, 0.00005, 0.003),
    (sys.argv[4], sys.argv[5], 0.0005, 0.05),
):
    library = Library(path, "net", weights)
    if expected is None:
        _, matrices, _ = library.signature("chunk30")
        inputs = {m.name: random.randn(m.rows, m.cols) for m in matrices}
    output = library.run("chunk30", inputs)["output"].astype(float)
    if expected is None:
        print(library.precision())
        expected = output
        continue
    rms = numpy.sqrt(numpy.mean((output - expected) ** 2))
    error = rms / numpy.sqrt(numpy.mean(expected**2))
    # Without any error nothing would have been rounded.
    verdict = "close" if smallest < error < largest else f"error {error}"
    print(f"{library.precision()}: {verdict}")
