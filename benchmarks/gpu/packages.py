# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The packages that timing beside PyTorch needs; one error without them."""
import sys

try:
    import numpy
    import torch
except ImportError as error:
    sys.exit(f"error: needs numpy and PyTorch: {error}")
