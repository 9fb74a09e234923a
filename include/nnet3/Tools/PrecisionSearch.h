//===- PrecisionSearch.h - The precision of each layer ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TOOLS_PRECISIONSEARCH_H
#define NNET3_TOOLS_PRECISIONSEARCH_H

#include "nnet3/Dialect/Kernel/IR/Precision.h"
#include "nnet3/Tools/UtteranceOptions.h"

namespace mlir::nnet3 {

/// How far from f32 a network may become, and on what that is measured.
struct PrecisionSearchOptions {
  /// Table with the features; empty for no search.
  std::string features;
  /// I-vectors, and the chunks that are computed.
  UtteranceOptions utterances;
  /// As many frames of the table as are used.
  int64_t maxFrames = 2000;
  /// The largest rms error of the output, relative to the output's rms; by
  /// default 0.06 of int8, else 0.02.
  double maxError = 0;
  /// The precision of 16 bits that is fastest on the target, for layers that
  /// need more than int8.
  Precision sixteenBits = Precision::BF16;
};

/// Rounds the weights of the components of `network`, which is in test mode, to
/// `precision` (bf16, int16 or int8), so that outputs change least on the
/// features, and returns the precision of each component for which the error
/// stays within the limit, as parseComponentPrecision reads it, with its error.
/// Compiles the network once for each layer and precision, for this machine,
/// and prints what it measured. The same features give the same result. Fails
/// with an error where the features do not fit the network.
FailureOr<std::vector<std::string>>
searchPrecisions(NetworkOp network, Precision precision,
                 const PrecisionSearchOptions &options);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_PRECISIONSEARCH_H
