# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints how far a matrix is from another one, of its largest element:
measure_error.py MATRIX EXPECTED"""
import sys

import numpy

import kaldi_files

actual, expected = (kaldi_files.read_matrix(path) for path in sys.argv[1:])
error = abs(actual - expected).max() / abs(expected).max()
for limit in (1e-5, 1e-3, 3e-2):
    if error < limit:
        print(f"below {limit:g}")
        break
else:
    print(f"{error:g}")
