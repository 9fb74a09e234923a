//===- IvectorOptions.cpp - The command line of nnet3-ivector -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IvectorOptions.h"

using namespace mlir::nnet3;
using llvm::Error;
using llvm::StringRef;
using llvm::Twine;

void IvectorProgramOptions::registerOptions(OptionParser &parser) {
  ProgramOptions::registerOptions(parser);
  parser.beginGroup("Files");
  parser.add("splice-config", &spliceConfig,
             "Options left-context and right-context");
  parser.add("cmvn-config", &cmvnConfig, "Options of the normalisation");
  parser.add("lda-matrix", &ldaMatrix, "The transform, final.mat");
  parser.add("global-cmvn-stats", &globalCmvnStats,
             "Statistics of all features, global_cmvn.stats");
  parser.add("diag-ubm", &diagUbm, "The mixture of Gaussians, final.dubm");
  parser.add("ivector-extractor", &ivectorExtractor, "The extractor, final.ie");
  parser.beginGroup("Estimate");
  parser.add("ivector-period", &period, "Frames from i-vector to i-vector");
  parser.add("num-gselect", &numGselect, "The most Gaussians of a frame");
  parser.add("min-post", &minPost,
             "Leave out the Gaussians of a frame that are less likely");
  parser.add("posterior-scale", &posteriorScale,
             "What a frame counts, as frames depend on each other");
  parser.add("max-count", &maxCount,
             "The count from which the prior grows with it; 0 for never");
  parser.add("max-remembered-frames", &maxRememberedFrames,
             "The most frames that count of earlier utterances");
  parser.add("online-cmvn-iextractor", &normalisedStatistics,
             "Normalise the features of the statistics too");
  parser.add("greedy-ivector-extractor", &isGreedy,
             "Estimate one i-vector from the whole utterance");
  parser.add("use-most-recent-ivector", &useMostRecent,
             "Accepted for compatibility");
  parser.add("exact-solve", &exactSolve,
             "Solve for the i-vector exactly, and not by the 15 steps of "
             "conjugate gradients that Kaldi takes");
  parser.beginGroup("Utterances");
  parser.add("repeat", &repeat, "Write one row for each frame");
  parser.add("frame-weights-rspecifier", &frameWeights,
             "A table of vectors: what each frame counts");
  parser.add("length-tolerance", &lengthTolerance,
             "By how much the number of weights may differ from that of "
             "frames");
  parser.addIgnoredInt("num-threads", "Accepted for compatibility");
}

Error IvectorProgramOptions::finish(llvm::ArrayRef<std::string> positional) {
  if (Error error = expectAtLeast("length-tolerance", 0, lengthTolerance))
    return error;
  if (positional.size() != 3)
    return optionError("expects a table of speakers, features and a table of "
                       "i-vectors to write, but got " +
                       Twine(positional.size()) + " arguments; see --help");
  speakers = positional[0];
  features = positional[1];
  ivectors = positional[2];
  return Error::success();
}

std::vector<std::string> IvectorProgramOptions::getArguments() const {
  const auto toText = [](bool value) { return value ? "true" : "false"; };
  return {"--splice-config=" + spliceConfig, "--cmvn-config=" + cmvnConfig,
          "--lda-matrix=" + ldaMatrix, "--global-cmvn-stats=" + globalCmvnStats,
          "--diag-ubm=" + diagUbm, "--ivector-extractor=" + ivectorExtractor,
          "--ivector-period=" + std::to_string(period),
          "--num-gselect=" + std::to_string(numGselect),
          "--min-post=" + showNumber(minPost, 9),
          "--posterior-scale=" + showNumber(posteriorScale, 9),
          "--max-count=" + showNumber(maxCount, 9),
          "--max-remembered-frames=" + showNumber(maxRememberedFrames, 9),
          std::string("--online-cmvn-iextractor=") +
              toText(normalisedStatistics),
          std::string("--greedy-ivector-extractor=") + toText(isGreedy),
          // As in Kaldi's program.
          "--use-most-recent-ivector=false",
          std::string("--repeat=") + toText(repeat),
          std::string("--exact-solve=") + toText(exactSolve)};
}
