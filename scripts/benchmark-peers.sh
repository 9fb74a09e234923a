#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds the tools, installs ONNX Runtime, OpenVINO, IREE and XLA from PyPI into
# build/peers-venv if they are not there, and times libraries beside them.
# Arguments go to benchmarks/peers/compare.py.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install-packages.sh
scripts/build.sh --only=nnet3-run,nnet3-compile,nnet3-translate,nnet3_library

venv=build/peers-venv
requirements=benchmarks/peers/requirements.txt
if ! cmp -s "$requirements" "$venv/requirements.txt"; then
  /usr/bin/python3 -m venv --clear "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$requirements"
  cp "$requirements" "$venv/requirements.txt"
fi
"$venv/bin/python3" benchmarks/peers/compare.py "$@"
