//===- ComputationSummary.h - Commands, matrices, lifetimes -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TARGET_REPORT_COMPUTATIONSUMMARY_H
#define NNET3_TARGET_REPORT_COMPUTATIONSUMMARY_H

#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"
#include "nnet3/Dialect/Nnet3/Analysis/ComputationSize.h"
#include <string>
#include <vector>

namespace mlir::nnet3 {

/// A part of a matrix that a command accesses, allocates or frees.
struct SummaryOperand {
  /// Position in ComputationSummary::matrices.
  int32_t matrix;
  int64_t row, rows, col, cols;
  /// Both for an addition; neither for an allocation or deallocation.
  bool reads, writes;

  /// Whether the part shares elements with `other`, a part of the same matrix.
  bool overlaps(const SummaryOperand &other) const {
    return row < other.row + other.rows && other.row < row + rows &&
           col < other.col + other.cols && other.col < col + cols;
  }
};

/// One command.
struct SummaryCommand {
  /// The mnemonic.
  std::string kind;
  /// The component or node that the command names; otherwise empty.
  std::string subject;
  /// A readable line of text.
  std::string text;
  bool isBackward = false;
  /// Number of multiply-adds of matmuls with weights, and of attention.
  int64_t multiplyAdds = 0;
  llvm::SmallVector<SummaryOperand, 4> operands;
  /// The commands that define operands other than matrices.
  llvm::SmallVector<int32_t, 1> makers;
};

/// One matrix, compressed or not. Moving or compressing a matrix creates
/// another one.
struct SummaryMatrix {
  /// The name in the IR, such as `%3`.
  std::string name;
  int64_t rows = 0, cols = 0;
  int64_t bytes = 0;
  /// The lifetime: the matrix exists after commands `begin` to `end` - 1.
  int32_t begin = 0, end = 0;
  bool isInput = false, isOutput = false;
  /// Whether the first use after the allocation is in the backward pass.
  bool isBackward = false;
};

/// A summary of a computation for drawings and reports. Views are not commands;
/// commands are numbered in their order, with the commands of loops in place.
struct ComputationSummary {
  std::string name, network;
  ComputationSize size;
  std::vector<SummaryCommand> commands;
  std::vector<SummaryMatrix> matrices;

  static ComputationSummary get(ComputationOp computation);

  /// Returns the bytes of the matrices that are live after each command.
  std::vector<int64_t> getLiveBytes() const;
};

} // namespace mlir::nnet3

#endif // NNET3_TARGET_REPORT_COMPUTATIONSUMMARY_H
