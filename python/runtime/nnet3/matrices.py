# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conversion and checks of matrices from callers."""

from __future__ import annotations

from typing import Any

import numpy
from numpy.typing import NDArray

from nnet3._runtime import Error


def take_matrix(value: object, what: str, cols: int | None = None) -> NDArray:
    """Converts an object with the buffer protocol or DLPack, or nested lists, to a
    float32 matrix. Does not copy float32 matrices.

    Args:
        value: rows x cols numbers.
        what: name of the matrix in error messages.
        cols: required number of columns, if known.
    """
    matrix = _take(value, what)
    if matrix.ndim != 2:
        raise Error(f"expects {what} as a matrix, but got {matrix.ndim} dimensions")
    if cols is not None and matrix.shape[1] != cols:
        raise Error(
            f"expects {what} of {cols} columns, but got {_describe(matrix)}"
        )
    return matrix


def take_vector(value: object, what: str, dim: int | None = None) -> NDArray:
    """Converts an object to a float32 vector. Accepts matrices with one row."""
    vector = _take(value, what)
    if vector.ndim == 2 and len(vector) == 1:
        vector = vector[0]
    if vector.ndim != 1 or dim not in (None, len(vector)):
        numbers = "numbers" if dim is None else f"{dim} numbers"
        raise Error(f"expects {what} of {numbers}, but got {_describe(vector)}")
    return vector


def check_target(value: Any, what: str, rows: int, cols: int) -> None:
    """Checks that a caller's matrix can receive float32 outputs.

    Raises:
        Error: it has another type or other dims, or is not contiguous.
    """
    try:
        array = value if isinstance(value, numpy.ndarray) else numpy.from_dlpack(value)
    except (AttributeError, BufferError, RuntimeError, TypeError) as error:
        raise Error(f"expects {what} as a matrix to write: {error}") from None
    if array.dtype != numpy.float32 or array.shape != (rows, cols):
        raise Error(
            f"expects {what} as float32 of {rows} x {cols}, but got {array.dtype} "
            f"of {_describe(array)}"
        )
    if not array.flags.c_contiguous:
        raise Error(f"expects {what} with rows that follow each other")
    if isinstance(value, numpy.ndarray) and not array.flags.writeable:
        raise Error(f"expects {what} as a matrix that can be written")


def _describe(array):
    return " x ".join(map(str, array.shape)) or "a number"


def _take(value, what):
    try:
        if hasattr(value, "__dlpack__") and not hasattr(value, "__array__"):
            value = numpy.from_dlpack(value)
        array = numpy.asarray(value)
        if array.dtype.kind not in "biuf":
            raise TypeError(f"its numbers are {array.dtype}")
        return array.astype(numpy.float32, copy=False)
    except (AttributeError, BufferError, RuntimeError, TypeError, ValueError) as error:
        raise Error(f"expects {what} as real numbers: {error}") from None
