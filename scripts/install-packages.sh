#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs, with apt, the Debian packages that the build, the tests and the
# benchmarks need and the machine lacks. Silent when nothing is missing. Without
# the optional ones some tests are left out.
set -euo pipefail

packages=(
  cmake ninja-build ccache clang-22 lld-22 clang-format-22 libclang-rt-22-dev
  libstdc++-12-dev libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools
  libopenblas-dev libgtest-dev libbenchmark-dev libflatbuffers-dev
  flatbuffers-compiler libkissfft-dev libonnx-dev libprotobuf-dev protobuf-compiler
  python3-numpy dpkg-dev
)
optional=(
  chromium python3-venv python3-torch mmdebstrap mandoc libfst-dev libopenmpi-dev
  openmpi-bin
)
# LLVM and others linked into one binary, for the wheels.
static=(liblld-22-dev libpolly-22-dev zlib1g-dev libzstd-dev libgfortran-12-dev)
# Libraries for other machines, and their tests.
targets=(
  qemu-user-static libstdc++-12-dev-arm64-cross libstdc++-12-dev-armhf-cross
  libstdc++-12-dev-riscv64-cross
)
# Libraries in WebAssembly, and their tests.
web=(
  libclang-rt-22-dev-wasm32 libc++-22-dev-wasm32 libc++abi-22-dev-wasm32
  wasi-libc nodejs node-typescript
)

as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# Installs those of its arguments that are missing.
install_packages() {
  local missing=() package status
  for package in "$@"; do
    status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  echo "installing: ${missing[*]}"
  { "${as_root[@]}" apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq \
      --no-install-recommends "${missing[@]}"; } >"$log" 2>&1
}

install_packages "${packages[@]}" || { cat "$log" >&2; exit 1; }
install_packages "${optional[@]}" ||
  echo "not installed: ${optional[*]}; some tests are left out"
install_packages "${static[@]}" ||
  echo "not installed: ${static[*]}; the wheel nnet3-compiler is not built"
install_packages "${targets[@]}" ||
  echo "not installed: ${targets[*]}; libraries are for this machine only"
install_packages "${web[@]}" ||
  echo "not installed: ${web[*]}; there are no libraries in WebAssembly"
