//===- DiffReport.h - Texts about how models differ -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_DIFF_DIFFREPORT_H
#define LIB_TOOLS_DIFF_DIFFREPORT_H

#include "NetworkDifference.h"
#include "OutputDifference.h"

namespace mlir::nnet3 {

/// All that there is to say about two models.
struct DiffReport {
  /// Their files.
  std::string before, after;
  NetworkDifference network;
  /// None without features.
  std::optional<OutputDifference> output;
};

/// How many tensors, and utterances, the text names; all for -1.
void printDiff(const DiffReport &report, int32_t maxLines,
               llvm::raw_ostream &os);

/// One page for the browser with everything.
void writeDiffPage(const DiffReport &report, llvm::raw_ostream &os);

} // namespace mlir::nnet3

#endif // LIB_TOOLS_DIFF_DIFFREPORT_H
