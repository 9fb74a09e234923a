//===- AccessCollector.h - One walk over the commands -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first half of the command analysis: lists the accesses of each command in
// arrays that refer to each other by index. The second half splits matrices
// into variables and groups the accesses by variable.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_LIB_DIALECT_NNET3_ANALYSIS_ACCESSCOLLECTOR_H
#define NNET3_LIB_DIALECT_NNET3_ANALYSIS_ACCESSCOLLECTOR_H

#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"

namespace mlir::nnet3 {

/// A matrix or a view of one.
struct MatrixPart {
  int32_t matrix;
  int64_t row, rows, col, cols;
};

/// How one command accesses one part.
struct PartAccess {
  int32_t part;
  Access access;
};

/// Walks over the commands of a computation.
class AccessCollector {
public:
  explicit AccessCollector(ComponentTable &components)
      : components(components) {}

  void collect(Block &block);

  std::vector<Operation *> commands;
  /// The matrices in the order of their definitions.
  std::vector<Value> matrices;
  std::vector<MatrixAccesses> matrixAccesses;
  /// Matrices and views, and the index of each.
  std::vector<MatrixPart> parts;
  DenseMap<Value, int32_t> partNumbers;
  /// Sorted by command.
  std::vector<PartAccess> accesses;

private:
  void addView(SubMatrixOp view);
  void addMatrix(Value matrix, int32_t command);
  /// Assigns the next number to a command and returns it.
  int32_t addCommand(Operation *op);
  /// Adds the accesses of the last command to its operands and results.
  void addAccesses(Operation *op, bool zeroes = false);
  void addOther(Operation *op);
  MatrixAccesses &getMatrix(Value value) {
    return matrixAccesses[parts[partNumbers.lookup(value)].matrix];
  }

  ComponentTable &components;
};

} // namespace mlir::nnet3

#endif // NNET3_LIB_DIALECT_NNET3_ANALYSIS_ACCESSCOLLECTOR_H
