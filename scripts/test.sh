#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs what is missing, builds, and runs every test; with --sanitize in the
# sanitizer build.
set -euo pipefail
cd "$(dirname "$0")/.."

build=build
if [ "${1:-}" = --sanitize ]; then
  build=build-sanitize
fi
scripts/install-packages.sh
scripts/build.sh "$@"
ctest --test-dir "$build" --output-on-failure -j"$(nproc)"
