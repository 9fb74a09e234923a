//===- OutputDifference.h - Differences of outputs --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_DIFF_OUTPUTDIFFERENCE_H
#define LIB_TOOLS_DIFF_OUTPUTDIFFERENCE_H

#include "nnet3/Kaldi/Matrix/Matrix.h"
#include "nnet3/Tools/Common/Comparison.h"

#include <string>
#include <vector>

namespace mlir::nnet3 {

struct UtteranceDifference {
  std::string key;
  int64_t numRows = 0;
  double relativeRms = 0, maxAbsolute = 0, argmaxShare = 1;
};

/// Differences of the outputs of two models on utterances.
struct OutputDifference {
  int64_t numColumns = 0, numRows = 0;
  Comparison all;
  std::vector<UtteranceDifference> utterances;
  /// Position and values of the largest difference.
  std::string worstKey;
  int64_t worstRow = 0, worstColumn = 0;
  float worstBefore = 0, worstAfter = 0;

  /// Adds an utterance; both outputs must have the same shape.
  void add(llvm::StringRef key, const ::nnet3::kaldi::Matrix &before,
           const ::nnet3::kaldi::Matrix &after);
};

} // namespace mlir::nnet3

#endif // LIB_TOOLS_DIFF_OUTPUTDIFFERENCE_H
