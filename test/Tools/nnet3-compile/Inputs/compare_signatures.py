# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the signatures of two libraries of a folder, which must be the same."""

import sys

from nnet3_library import Library

folder, *names = sys.argv[1:]
libraries = [
    Library(f"{folder}/lib{name}.so", "net", f"{folder}/{name}.weights")
    for name in names
]
print(*(library.target() for library in libraries), sep=" and ")
for request in ("chunk30", "chunk30x4", "chunk60", "chunk60x4"):
    one, other = (library.signature(request) for library in libraries)
    assert one == other, f"{one} and {other}"
    dims = [
        " and ".join(f"{m.rows} x {m.cols}" for m in matrices)
        for matrices in one[1:]
    ]
    print(f"{request}: {dims[0]} to {dims[1]}")
