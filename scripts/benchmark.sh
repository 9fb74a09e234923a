#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds and runs the benchmarks, and prints one table. Arguments go to the
# program (--benchmark_filter=compile, ...).
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install-packages.sh
scripts/build.sh

# OpenBLAS chooses its kernels from the environment, and some machines set it
# to slow ones.
unset OPENBLAS_CORETYPE
export OPENBLAS_NUM_THREADS=1
build/bin/nnet3-benchmark --benchmark_format=json "$@" |
  /usr/bin/python3 scripts/benchmark-table.py
