//===- StreamUtterance.h - Utterances for stream tests ----------*- C++ -*-===//
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
  ::nnet3::kaldi::Matrix values; ///< one sequence after another
  int64_t numRows;

  /// Returns the rows in `rows`, shifted by `start`, of each sequence.
  ::nnet3::kaldi::Matrix take(llvm::ArrayRef<Index> rows, int64_t start) const;
};

/// Returns the request for a whole utterance of `numFrames` frames, with the
/// rows of `stream`'s chunks, for `numSequences` sequences. With `lastOutput`,
/// the outputs end at this time, and the frames with the right context.
OwningOpRef<RequestOp>
makeUtteranceRequest(StreamOp stream, int64_t numFrames, int64_t numSequences,
                     std::optional<int64_t> lastOutput = std::nullopt);

/// Returns random values for the inputs of `request`.
llvm::StringMap<UtteranceInput> makeUtteranceInputs(RequestOp request,
                                                    const RequestRunner &runner,
                                                    int64_t numSequences,
                                                    property::Random &random);

/// Returns options for streams of `network` with three chunk lengths; none if
/// the network's modulus is too large.
std::optional<StreamOptions> makeStreamOptions(NetworkOp network,
                                               property::Random &random);

} // namespace mlir::nnet3

#endif // NNET3_UNITTESTS_STREAM_STREAMUTTERANCE_H
