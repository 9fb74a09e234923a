//===- UtteranceOptions.cpp - Options for computing utterances ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/Common/UtteranceOptions.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;
using llvm::Error;
using llvm::Twine;

void UtteranceOptions::registerInputOptions(OptionParser &parser) {
  parser.add("ivectors", &ivectors,
             "Table of i-vectors, one vector per utterance (or speaker, with "
             "--utt2spk)");
  parser.add("utt2spk", &utt2spk, "Table from utterances to speakers");
  parser.add("online-ivectors", &onlineIvectors,
             "Table of i-vectors, a matrix per utterance with a row for every "
             "--online-ivector-period frames");
  parser.add("online-ivector-period", &compute.onlineIvectorPeriod,
             "Frames per row of --online-ivectors");
  ChunkOptions &c = compute.chunks;
  parser.add("extra-left-context", &c.extraLeftContext,
             "Input frames per chunk left of the network's own context");
  parser.add("extra-right-context", &c.extraRightContext,
             "Input frames per chunk right of the network's own context");
  parser.add("extra-left-context-initial", &c.extraLeftContextInitial,
             "If >= 0, --extra-left-context at the start of an utterance");
  parser.add("extra-right-context-final", &c.extraRightContextFinal,
             "If >= 0, --extra-right-context at the end of an utterance");
  parser.add("frame-subsampling-factor", &c.frameSubsamplingFactor,
             "Output every so many frames");
  parser.add("frames-per-chunk", &c.framesPerChunk,
             "Frames per chunk; rounded up to what the network needs");
}

void UtteranceOptions::registerOutputOptions(OptionParser &parser) {
  parser.add("apply-exp", &compute.applyExp, "Exponentiate the output");
  parser.add("use-priors", &compute.usePriors,
             "Subtract the logarithms of the model's priors from the output");
  parser.add("acoustic-scale", &compute.acousticScale,
             "Scaling factor of the output, after priors");
}

static Error expectAtLeast(StringRef option, int32_t least, int32_t got) {
  if (got >= least)
    return Error::success();
  return optionError("option '--" + option + "' expects at least " +
                     Twine(least) + ", but got " + Twine(got));
}

Error UtteranceOptions::finishUtteranceOptions() const {
  const ChunkOptions &c = compute.chunks;
  for (auto [option, least, value] :
       {std::tuple<StringRef, int32_t, int32_t>{"frame-subsampling-factor", 1,
                                                c.frameSubsamplingFactor},
        {"frames-per-chunk", 1, c.framesPerChunk},
        {"extra-left-context", 0, c.extraLeftContext},
        {"extra-right-context", 0, c.extraRightContext}})
    if (Error error = expectAtLeast(option, least, value))
      return error;
  if (!onlineIvectors.empty()) {
    if (!ivectors.empty())
      return optionError("--ivectors and --online-ivectors exclude each other");
    if (Error error = expectAtLeast("online-ivector-period", 1,
                                    compute.onlineIvectorPeriod))
      return error;
  }
  if (!utt2spk.empty() && ivectors.empty())
    return optionError("option '--utt2spk' needs --ivectors");
  return Error::success();
}

LogicalResult mlir::nnet3::checkIvectors(const RequestRunner &runner,
                                         const UtteranceOptions &options,
                                         StringRef model) {
  const int64_t dim = runner.getDim("ivector");
  const bool areGiven =
      !options.ivectors.empty() || !options.onlineIvectors.empty();
  if ((dim > 0) == areGiven)
    return success();
  return emitFileError(
      runner.getNetwork().getContext(),
      dim > 0
          ? makeFileError(model.str(),
                          "the network has an input 'ivector' of dimension " +
                              Twine(dim) +
                              ", so option '--ivectors' or "
                              "'--online-ivectors' is needed")
          : makeFileError(model.str(),
                          "the network has no input 'ivector', so option '--" +
                              Twine(options.ivectors.empty() ? "online-ivectors"
                                                             : "ivectors") +
                              "' is of no use"));
}
