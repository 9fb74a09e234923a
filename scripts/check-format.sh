#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks that the C and C++ sources are formatted; with --fix, formats them.
set -euo pipefail
cd "$(dirname "$0")/.."

mode=(--dry-run --Werror)
if [ "${1:-}" = --fix ]; then
  mode=(-i)
fi
find benchmarks cmake examples include lib python runtime tools unittests \
  \( -name '*.h' -o -name '*.c' -o -name '*.cpp' -o -name '*.hpp' \) -print0 |
  xargs -0 clang-format-22 "${mode[@]}"
