//===- ChainGetEgsMain.cpp - Chain examples cut out of utterances ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ChainUtterance.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Tools/Examples.h"

using namespace mlir::nnet3;
using llvm::Error;
using llvm::Twine;

static const char kUsage[] =
    "Cuts chain examples out of utterances; the supervision of an utterance is "
    "a graph.\n"
    "Usage: nnet3-chain-get-egs [options] [NORMALIZATION-FST] "
    "FEATURES-RSPECIFIER \\\n"
    "         SUPERVISION-RSPECIFIER EGS-WSPECIFIER\n"
    "\n"
    "Graphs get the costs of NORMALIZATION-FST, if there is one. End-to-end "
    "supervision\nmakes one example of each utterance.\n"
    "e.g.: nnet3-chain-get-egs --left-context=25 --right-context=9 "
    "--num-frames=150,110,90 \\\n"
    "        --frame-subsampling-factor=3 normalization.fst scp:feats.scp "
    "ark:supervision.ark \\\n"
    "        ark:cegs.ark\n";

void ChainGetEgsOptions::registerOptions(OptionParser &parser) {
  ChunkProgramOptions::registerOptions(parser);
  parser.beginGroup("Supervision");
  parser.add("normalization-fst-scale", &normalizationScale,
             "What the costs of the normalization graph are multiplied by");
  parser.add("deriv-weights-rspecifier", &derivativeWeights,
             "Table of vectors that weight the derivatives of frames of "
             "output");
  parser.add("transition-model", &transitionModel,
             "Transition model whose transition-ids are the labels of the "
             "supervision, in place of pdfs plus 1. Examples then keep the "
             "order of what is spoken, but not the frames, as end-to-end "
             "supervision does");
}

Error ChainGetEgsOptions::finish(llvm::ArrayRef<std::string> positional) {
  if (positional.size() == 4) {
    normalization = positional.front();
    positional = positional.drop_front();
  }
  return ChunkProgramOptions::finish(positional);
}

int mlir::nnet3::chainGetEgsMain(int argc, char **argv) {
  ChainGetEgsOptions options;
  return runProgram(kUsage, argc, argv, options, [&]() -> Error {
    auto supervision = ChainUtterance::open(options);
    if (!supervision)
      return supervision.takeError();
    return makeExamples("nnet3-chain-get-egs", options, **supervision);
  });
}
