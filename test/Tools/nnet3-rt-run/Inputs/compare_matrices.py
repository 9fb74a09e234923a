# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares two matrix files, as run_golden.py does outputs."""

import sys

import compare
import kaldi_files

actual, expected = map(kaldi_files.read_matrix, sys.argv[1:])
compare.compare("matrix", actual, expected, 1e-3)
