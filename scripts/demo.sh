#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds the tools that it runs, and takes a small trained TDNN and a few utterances
# through every stage: network, request, commands, output. The output is checked
# against the reference's. Then a recogniser of digits hears some.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install-packages.sh
scripts/build.sh --only=nnet3-compile,nnet3-opt,nnet3-recognize,nnet3-run,nnet3-translate,nnet3_library

bin=build/bin
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

title() { printf '\n== %s\n' "$1"; }

title "The network (examples/tdnn/tdnn.raw), parameters elided"
$bin/nnet3-translate --raw-to-mlir examples/tdnn/tdnn.raw -o "$out/tdnn.mlir"
$bin/nnet3-opt "$out/tdnn.mlir" --mlir-elide-resource-strings-if-larger=0 \
  --mlir-elide-elementsattrs-if-larger=0 | sed '/^{-#/,$d'

title "The commands for one chunk (examples/tdnn/chunk.request)"
$bin/nnet3-translate --raw-to-mlir --request=examples/tdnn/chunk.request \
  examples/tdnn/tdnn.raw |
  $bin/nnet3-opt --nnet3-compile |
  sed -n '/nnet3.computation/,/^  }/p'

title "The output for four utterances, first rows"
$bin/nnet3-run --ivectors=ark:examples/tdnn/ivectors.ark \
  --frame-subsampling-factor=3 examples/tdnn/tdnn.raw \
  ark:examples/tdnn/features.ark "ark,t:$out/output.ark"
head -n 4 "$out/output.ark" | cut -c 1-100

title "Compared with the reference's output (examples/tdnn/expected.ark)"
/usr/bin/python3 scripts/compare-archives.py "$out/output.ark" \
  examples/tdnn/expected.ark

title "Words that examples/digits/model hears, in files that are named after them"
$bin/nnet3-recognize --cache="$out" examples/digits/model \
  examples/digits/sounds/*.wav 2>/dev/null
