//===- DiffReport.h - Reports about differences of models -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_DIFF_DIFFREPORT_H
#define LIB_TOOLS_DIFF_DIFFREPORT_H

#include "NetworkDifference.h"
#include "OutputDifference.h"

namespace mlir::nnet3 {

/// All differences of two models.
struct DiffReport {
  /// The models' files.
  std::string before, after;
  NetworkDifference network;
  /// None if no features were given.
  std::optional<OutputDifference> output;
};

/// Prints the differences, with up to `maxLines` tensors and utterances; -1
/// means all.
void printDiff(const DiffReport &report, int32_t maxLines,
               llvm::raw_ostream &os);

/// Writes a self-contained HTML page with all differences.
void writeDiffPage(const DiffReport &report, llvm::raw_ostream &os);

} // namespace mlir::nnet3

#endif // LIB_TOOLS_DIFF_DIFFREPORT_H
