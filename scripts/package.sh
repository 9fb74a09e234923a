#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds what is installed and makes packages of it: a .deb and a .tar.gz, in
# build/packages/ or the folder given. Prints their names.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(realpath -m "${1:-build/packages}")

scripts/install-packages.sh
scripts/build.sh --only=nnet3-installed

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cpack --config build/CPackConfig.cmake -B "$scratch" >"$scratch/log" 2>&1 ||
  { cat "$scratch/log" >&2; exit 1; }
mkdir -p "$folder"
for package in "$scratch"/*.deb "$scratch"/*.tar.gz; do
  mv -f "$package" "$folder/"
  realpath --relative-to=. "$folder/${package##*/}"
done
