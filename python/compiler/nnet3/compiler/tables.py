# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Archives of float32 matrices between this package and the tools.

For other kinds of Kaldi's tables use kaldiio.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Mapping

import numpy
from numpy.typing import ArrayLike, NDArray


def write_matrices(
    path: str | os.PathLike[str], matrices: Mapping[str, ArrayLike]
) -> None:
    """Writes an archive of a dict from keys to matrices."""
    with open(path, "wb") as file:
        for key, matrix in matrices.items():
            matrix = numpy.ascontiguousarray(matrix, "<f4")
            file.write(key.encode() + b" \0BFM \4")
            file.write(struct.pack("<ibi", matrix.shape[0], 4, matrix.shape[1]))
            file.write(matrix.tobytes())


def read_matrices(path: str | os.PathLike[str]) -> dict[str, NDArray[numpy.float32]]:
    """Reads an archive written by a tool."""
    matrices = {}
    with open(path, "rb") as file:
        data = file.read()
    at = 0
    while at < len(data):
        end = data.index(b" ", at)
        key = data[at:end].decode()
        if data[end + 1 : end + 6] != b"\0BFM ":
            raise ValueError(f"{path}: byte {end + 1}: expects a float matrix")
        _, rows, _, cols = struct.unpack_from("<bibi", data, end + 6)
        begin = end + 16
        at = begin + 4 * rows * cols
        values = numpy.frombuffer(data, "<f4", rows * cols, begin)
        matrices[key] = values.reshape(rows, cols).copy()
    return matrices
