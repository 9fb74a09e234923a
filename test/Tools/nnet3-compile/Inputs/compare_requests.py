# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the requests of a library for chunks of 30 and 60 frames, one and four
sequences, on the same features."""

import sys

import numpy
from nnet3_library import Library

library = Library(*sys.argv[1:4])
random = numpy.random.RandomState(1)
outputs = {}
for name, sequences in (
    ("chunk30", 1),
    ("chunk30x4", 4),
    ("chunk60", 1),
    ("chunk60x4", 4),
):
    _, inputs, _ = library.signature(name)
    rows = inputs[0].rows // sequences
    if name == "chunk30":
        frames = random.randn(200, inputs[0].cols)
        ivector = random.randn(1, inputs[1].cols)
    features = numpy.concatenate([frames[:rows]] * sequences)
    outputs[name] = library.run(
        name,
        {"input": features, "ivector": ivector.repeat(sequences, axis=0)},
    )["output"]
    print(f"{name}: {outputs[name].shape}")
first = outputs["chunk30"]
for name, output in outputs.items():
    sequences = 4 if name.endswith("x4") else 1
    for sequence in output.reshape(sequences, -1, output.shape[1]):
        numpy.testing.assert_allclose(
            sequence[: len(first)], first, rtol=1e-5, atol=1e-5
        )
print("equal where they are the same frames")
