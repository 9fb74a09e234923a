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
run_tests() {
  NNET3_SOURCE=$PWD "$venv/bin/python3" -P -m pytest -q -p no:cacheprovider "$@"
}
run_tests python/tests --ignore=python/tests/test_torch.py
# Debian's PyTorch, because that of PyPI brings gigabytes of CUDA. The packages
# of the machine become visible behind those of the environment.
if torch=$(/usr/bin/python3 -c 'import torch; print(torch.__file__)' 2>/dev/null); then
  packages=$("$venv/bin/python3" -c 'import site; print(site.getsitepackages()[0])')
  realpath "$(dirname "$torch")/.." >"$packages/machine.pth"
  run_tests python/tests/test_torch.py
fi
