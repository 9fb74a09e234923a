//===- StreamUtterance.h - Utterances that streams cut ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_STREAM_STREAMUTTERANCE_H
#define NNET3_UNITTESTS_STREAM_STREAMUTTERANCE_H

#include "Networks/Random.h"

#include "nnet3/Dialect/Nnet3/IR/StreamOps.h"
#include "nnet3/Execution/RequestRunner.h"
#include "nnet3/Kaldi/Matrix/Matrix.h"
#include "nnet3/Stream/StreamPlan.h"

#include "llvm/ADT/StringMap.h"

#include <optional>

namespace mlir::nnet3 {

/// The input of an utterance: rows at times `first`, `first` + `step`, ...
struct UtteranceInput {
  int64_t first, step;
  ::nnet3::kaldi::Matrix values; ///< of one sequence after the other
  int64_t numRows;

  /// The rows that `rows` lists, `start` later, of each sequence.
  ::nnet3::kaldi::Matrix take(llvm::ArrayRef<Index> rows, int64_t start) const;
};

/// The request for an utterance of `numFrames` frames at once, with the rows
/// that the chunks of `stream` have, for so many sequences.
OwningOpRef<RequestOp> makeUtteranceRequest(StreamOp stream, int64_t numFrames,
                                            int64_t numSequences);

/// Random values for the inputs of `request`.
llvm::StringMap<UtteranceInput> makeUtteranceInputs(RequestOp request,
                                                    const RequestRunner &runner,
                                                    int64_t numSequences,
                                                    property::Random &random);

/// Options for streams of `network` with chunks of three lengths; none if it
/// repeats after too many frames.
std::optional<StreamOptions> makeStreamOptions(NetworkOp network,
                                               property::Random &random);

} // namespace mlir::nnet3

#endif // NNET3_UNITTESTS_STREAM_STREAMUTTERANCE_H
