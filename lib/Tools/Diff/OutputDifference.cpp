//===- OutputDifference.cpp - Differences of outputs ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OutputDifference.h"
#include "nnet3/Execution/RequestRunner.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;

void OutputDifference::add(llvm::StringRef key, const Matrix &before,
                           const Matrix &after) {
  Comparison one;
  one.add(getView(before), getView(after));
  const double largest = all.getMaxAbsolute();
  all.add(getView(before), getView(after));
  utterances.push_back({key.str(), before.rows, one.getRelativeRms(),
                        one.getMaxAbsolute(), one.getArgmaxShare()});
  numRows += before.rows;
  numColumns = before.cols;
  if (one.getMaxAbsolute() <= largest)
    return;
  worstKey = key.str();
  double found = -1;
  for (int64_t r = 0; r < before.rows; ++r)
    for (int64_t c = 0; c < before.cols; ++c) {
      const double difference = getDifference(before(r, c), after(r, c));
      if (difference <= found)
        continue;
      found = difference;
      worstRow = r;
      worstColumn = c;
      worstBefore = before(r, c);
      worstAfter = after(r, c);
    }
}
