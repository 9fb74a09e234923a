#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests examples/ray with the wheel of the runtime alone, which
# python/tests/run.sh has built.
#
#   run.sh BUILD_FOLDER
#
# Exits with status 77 where PyPI cannot be reached.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$(realpath "$1")
compgen -G "$build/wheels/nnet3_runtime-*.whl" >/dev/null || exit 77

venv=$build/ray-venv
/usr/bin/python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check \
  --requirement python/ray-tests/requirements.txt || exit 77
"$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps \
  --force-reinstall "$build"/wheels/nnet3_runtime-*.whl

libraries=$(mktemp -d)
trap 'rm -rf "$libraries"' EXIT
"$build/bin/nnet3-compile" --chunk=12,30 --frame-subsampling-factor=3 \
  -o "$libraries/chunks" examples/tdnn/tdnn.raw
"$build/bin/nnet3-compile" --streaming --chunk=6,21 --sequences=1,4 \
  --frame-subsampling-factor=3 -o "$libraries/live" examples/tdnn/tdnn.raw
NNET3_LIBRARIES=$libraries RAY_USAGE_STATS_ENABLED=0 \
  "$venv/bin/python3" -P -m pytest -q -p no:cacheprovider \
  -W ignore::DeprecationWarning python/ray-tests
