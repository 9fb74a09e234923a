#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds the wheels, installs them in a new environment and tests them there.
#
#   run.sh BUILD_FOLDER
#
# Exits with status 77 where PyPI cannot be reached.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$(realpath "$1")

status=0
scripts/wheels.sh "$build/wheels" || status=$?
if [ $status -ne 0 ]; then
  [ $status -eq 3 ] && exit 77
  exit 1
fi
venv=$build/wheels-test
/usr/bin/python3 -m venv --clear "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check "$build"/wheels/*.whl \
  --requirement python/tests/requirements.txt
NNET3_SOURCE=$PWD "$venv/bin/python3" -P -m pytest -q -p no:cacheprovider \
  python/tests
