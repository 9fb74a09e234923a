#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Trains a recogniser of connected digits from nothing, and tests it on voices
# that it has not heard. Needs the build, numpy and espeak-ng. The first argument
# is a folder for everything that is made (build/digits); model in it is a folder
# for nnet3-recognize.
set -euo pipefail
cd "$(dirname "$0")/../.."

here=examples/digits
out=${1:-build/digits}
bin=build/bin
python=/usr/bin/python3
passes=6
frames=100 # of output of a training utterance
mkdir -p "$out"

# Makes the model of one pass of another.
train() { # minibatches, model, learning rate, trained model
  $bin/nnet3-copy --print-args=false --learning-rate="$3" "$2" "$out/rate.raw"
  $bin/nnet3-train --print-args=false --leaky-hmm-coefficient=0.1 --l2-regularize=0.00005 \
    --print-interval=1000 --srand="$pass" --log="$out/log.$pass.jsonl" \
    "$out/rate.raw" "$out/den.fst" "ark:$out/$1" "$4" 2>&1 |
    sed -n "s/.*Overall average objective/pass $pass: objective/p"
}

echo "== Digits of espeak-ng, with noise and rooms"
$python $here/make_data.py "$out"

echo "== Features"
for set in train test; do
  $bin/nnet3-run --print-args=false --wav --mfcc-config=$here/mfcc.conf $here/features.config \
    "ark:$out/$set/wav.ark" "ark:$out/$set/features.ark" 2>"$out/$set/features.log"
done

echo "== Examples, one of each utterance, with the graph of its digits"
$python $here/make_graphs.py $frames "$out/train/text" "$out"
$bin/nnet3-chain-get-egs --print-args=false --frame-subsampling-factor=3 --num-frames=-1 \
  --left-context=16 --right-context=16 "$out/normalization.fst" "ark:$out/train/features.ark" \
  "ark:$out/supervision.ark" "ark:$out/examples.ark" 2>"$out/examples.log"

echo "== Training"
$bin/nnet3-translate --config-to-raw --init-seed=1 $here/digits.xconfig -o "$out/0.raw"
for pass in $(seq $passes); do
  $bin/nnet3-chain-shuffle-egs --print-args=false --srand="$pass" "ark:$out/examples.ark" ark:- |
    $bin/nnet3-chain-merge-egs --print-args=false --minibatch-size=16 ark:- \
      "ark:$out/minibatches.ark" 2>/dev/null
  rate=$($python -c "print(0.002 * 0.1 ** (($pass - 1) / ($passes - 1)))")
  train minibatches.ark "$out/$((pass - 1)).raw" "$rate" "$out/$pass.raw"
done

echo "== The average of the last models that is best"
$bin/nnet3-chain-combine --print-args=false --leaky-hmm-coefficient=0.1 "$out/den.fst" \
  $(seq -f "$out/%g.raw" $passes -1 $((passes - 3))) "ark:$out/minibatches.ark" \
  "$out/combined.raw" 2>"$out/combine.log"
$bin/nnet3-copy --print-args=false --prepare-for-test "$out/combined.raw" "$out/digits.raw"
$bin/nnet3-info "$out/digits.raw" | grep num-parameters

echo "== A folder for nnet3-recognize: $out/model"
$python $here/make_folder.py $here "$out/model"
$bin/nnet3-am-init --print-args=false "$out/model/am/tree" "$out/model/am/topology" \
  "$out/digits.raw" "$out/model/am/final.mdl" 2>"$out/model.log"

echo "== A page about the training: $out/training.html"
$bin/nnet3-plot $(seq -f "$out/log.%g.jsonl" $passes) "$out/training.html"

echo "== Voices that it has not heard"
$bin/nnet3-run --print-args=false --frame-subsampling-factor=3 "$out/digits.raw" \
  "ark:$out/test/features.ark" "ark,t:$out/test/outputs.txt" 2>"$out/test/outputs.log"
$python $here/decode.py --max-wer=3 --text="$out/test/text" "$out/test/outputs.txt"
