#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds the tools that it runs, and takes a small trained TDNN through the stages:
# network, commands, fused commands, kernels, library. The interpreter and the
# library compute a few utterances, and both outputs are compared with the
# reference's. Then a recogniser of digits hears some.
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

chunk=(--chunk=30 --frame-subsampling-factor=3)

title "Fused commands for a chunk of 30 frames"
$bin/nnet3-compile "${chunk[@]}" --emit=fused --elide-weights \
  examples/tdnn/tdnn.raw | sed -n '/nnet3.computation/,/^  }/p' | cut -c 1-100

title "The kernel of the second layer"
$bin/nnet3-compile "${chunk[@]}" --emit=kernels --elide-weights \
  examples/tdnn/tdnn.raw | sed -n '/func.func private @gemm_2/,/^  }/p' |
  cut -c 1-100

title "A library and its header"
$bin/nnet3-compile "${chunk[@]}" -o "$out/net" examples/tdnn/tdnn.raw
(cd "$out" && ls -s libnet.so net.h)

# run MODEL NAME: computes the features, and compares the output with the
# reference's.
run() {
  $bin/nnet3-run --ivectors=ark:examples/tdnn/ivectors.ark \
    --frame-subsampling-factor=3 "$1" \
    ark:examples/tdnn/features.ark "ark,t:$out/$2.ark"
  /usr/bin/python3 scripts/compare-archives.py "$out/$2.ark" \
    examples/tdnn/expected.ark
}

title "The interpreter's output for four utterances, and the reference's"
run examples/tdnn/tdnn.raw interpreter

title "The library's output, and the reference's"
run "$out/libnet.so" library
head -n 4 "$out/library.ark" | cut -c 1-100

title "Words that examples/digits/model hears, in files that are named after them"
$bin/nnet3-recognize --cache="$out" examples/digits/model \
  examples/digits/sounds/*.wav 2>/dev/null
