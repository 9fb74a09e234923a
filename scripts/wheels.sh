#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds the wheels nnet3-runtime and nnet3-compiler into build/wheels, or into the
# folder that is the argument. PYTHON names the interpreter: a wheel made with Python 3.12 or later
# serves all later versions. Exits with status 3 where PyPI cannot be reached.
set -euo pipefail
cd "$(dirname "$0")/.."

wheels=$(realpath -m "${1:-build/wheels}")
venv=build/wheels-venv
log=$(mktemp)
raw=$(mktemp -d)
trap 'rm -rf "$log" "$raw"' EXIT

# What the environment is made of: a Python, and packages.
python=${PYTHON:-/usr/bin/python3}
content=$("$python" -c 'import sys; print("#", sys.executable, sys.version)' &&
  cat scripts/wheels-requirements.txt)
if ! cmp -s - $venv/requirements.txt <<<"$content"; then
  { "$python" -m venv --clear $venv &&
    $venv/bin/pip install --quiet --disable-pip-version-check \
      --requirement scripts/wheels-requirements.txt; } >"$log" 2>&1 || {
    tail -n 5 "$log" >&2
    echo "error: cannot install the build tools from PyPI" >&2
    exit 3
  }
  echo "$content" >$venv/requirements.txt
fi

# build_wheel PROJECT [define...]: the wheel of python/PROJECT, which needs
# nothing but what every Linux has: auditwheel checks it.
build_wheel() {
  local settings=(--config-settings=build-dir="$PWD/build/wheel-$1") define
  for define in "${@:2}"; do
    settings+=(--config-settings=cmake.define."$define")
  done
  rm -f "$raw"/*.whl
  { $venv/bin/pip wheel --no-deps --no-build-isolation "${settings[@]}" \
    --wheel-dir "$raw" "python/$1" &&
    PATH="$PWD/$venv/bin:$PATH" $venv/bin/auditwheel repair \
      --wheel-dir "$wheels" "$raw"/*.whl; } >"$log" 2>&1 || {
    cat "$log" >&2
    return 1
  }
}

mkdir -p "$wheels"
rm -f "$wheels"/*.whl
export CC=clang-22 CXX=clang++-22
export CMAKE_ARGS="-G Ninja -DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_MODULE_LINKER_FLAGS=-fuse-ld=lld"
build_wheel runtime
scripts/build.sh --only=nnet3-standalone,nnet3-cross-runtimes
build_wheel compiler NNET3_BUILD="$PWD/build"
du -h "$wheels"/*.whl
