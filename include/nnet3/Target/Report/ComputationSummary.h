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

/// A part of a matrix that a command has to do with.
struct SummaryOperand {
  /// Position in ComputationSummary::matrices.
  int32_t matrix;
  int64_t row, rows, col, cols;
  /// Both where it is added to; neither where only its storage is concerned.
  bool reads, writes;

  /// Whether it has elements of `other`, a part of the same matrix.
  bool overlaps(const SummaryOperand &other) const {
    return row < other.row + other.rows && other.row < row + rows &&
           col < other.col + other.cols && other.col < col + cols;
  }
};

/// One command.
struct SummaryCommand {
  /// Its mnemonic.
  std::string kind;
  /// The component, or the node, that it names; else empty.
  std::string subject;
  /// One line for people.
  std::string text;
  bool isBackward = false;
  /// Of the products with weights, and of attention.
  int64_t multiplyAdds = 0;
  llvm::SmallVector<SummaryOperand, 4> operands;
  /// Commands that made the values, other than matrices, that this one takes.
  llvm::SmallVector<int32_t, 1> makers;
};

/// One matrix, compressed or not. What is moved or compressed becomes another
/// one.
struct SummaryMatrix {
  /// As in the IR, `%3`.
  std::string name;
  int64_t rows = 0, cols = 0;
  int64_t bytes = 0;
  /// It exists behind commands `begin` to `end` - 1.
  int32_t begin = 0, end = 0;
  bool isInput = false, isOutput = false;
  /// It is first used, other than made, behind the marker between the passes.
  bool isBackward = false;
};

/// What there is to see of a computation. Views are not commands; commands are
/// numbered in their order, those of loops where they stand.
struct ComputationSummary {
  std::string name, network;
  ComputationSize size;
  std::vector<SummaryCommand> commands;
  std::vector<SummaryMatrix> matrices;

  static ComputationSummary get(ComputationOp computation);

  /// Bytes of the matrices that exist behind each command.
  std::vector<int64_t> getLiveBytes() const;
};

} // namespace mlir::nnet3

#endif // NNET3_TARGET_REPORT_COMPUTATIONSUMMARY_H
