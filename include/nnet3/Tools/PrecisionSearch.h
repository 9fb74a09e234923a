//===- PrecisionSearch.h - The precision of each layer ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TOOLS_PRECISIONSEARCH_H
#define NNET3_TOOLS_PRECISIONSEARCH_H

#include "nnet3/Dialect/Kernel/IR/Precision.h"
#include "nnet3/Tools/Common/UtteranceOptions.h"

namespace mlir::nnet3 {

/// The error limit of the search, and the data that the error is measured on.
struct PrecisionSearchOptions {
  /// Table with the features; empty for no search.
  std::string features;
  /// I-vectors, and options of the chunks.
  UtteranceOptions utterances;
  /// Maximum number of frames of the table to use.
  int64_t maxFrames = 2000;
  /// Maximum rms error of the output, relative to the rms of the output; 0 for
  /// the default, which is 0.06 with int8, else 0.02.
  double maxError = 0;
  /// The precision of 16 bits that is fastest on the target, for layers that
  /// need more than int8.
  Precision sixteenBits = Precision::BF16;
};

/// Rounds the weights of the components of `network`, which must be in test
/// mode, to `precision` (bf16, int16 or int8), so that the outputs for the
/// features change as little as possible. Returns the precision of each
/// component with which the error stays within the limit, with its error, in
/// the form of parseComponentPrecision(). Compiles the network for this machine
/// once for each layer and precision, and prints the errors. The result is
/// deterministic. Emits an error if the features do not match the network.
FailureOr<std::vector<std::string>>
searchPrecisions(NetworkOp network, Precision precision,
                 const PrecisionSearchOptions &options);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_PRECISIONSEARCH_H
