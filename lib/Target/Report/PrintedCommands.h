//===- PrintedCommands.h - Commands in Kaldi's print format -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_LIB_TARGET_REPORT_PRINTEDCOMMANDS_H
#define NNET3_LIB_TARGET_REPORT_PRINTEDCOMMANDS_H

#include "nnet3/Dialect/Nnet3/Analysis/MatrixWindow.h"

#include "llvm/ADT/StringMap.h"

namespace mlir::nnet3 {

/// Numbers the matrices of a computation; m1 is the first one that is
/// allocated. A compressed matrix shares the number of its original.
class PrintedMatrices {
public:
  explicit PrintedMatrices(ComputationOp computation);

  /// Returns the value that defines each matrix, in order.
  llvm::ArrayRef<Value> getValues() const { return values; }
  /// Returns `m3` for a matrix or its compressed copy.
  std::string getName(Value matrix) const;
  /// Returns `m3` or `m3(0:9, 4:7)`; both ends are included.
  std::string getView(Value view) const;
  /// Returns `m3(5,:)` or `m3(5,4:7)` for a row of a view.
  std::string getRow(Value view, int64_t row) const;

private:
  void add(Operation *op);

  llvm::SmallVector<Value> values;
  // Only looked up, never iterated.
  llvm::DenseMap<Value, size_t> numbers;
};

/// Prints and numbers commands.
class CommandPrinter {
public:
  CommandPrinter(const PrintedMatrices &matrices, llvm::raw_ostream &os)
      : matrices(matrices), os(os) {}

  /// Prints all commands. Emits an error for a command that Kaldi does not
  /// have.
  llvm::LogicalResult printAll(Block &commands);

private:
  llvm::LogicalResult print(Operation *op);
  llvm::LogicalResult printStorage(Operation *op);
  llvm::LogicalResult printRows(Operation *op);
  llvm::LogicalResult printRanges(AddRowRangesOp op);
  void printPropagate(PropagateOp op);
  void printBackprop(BackpropOp op);
  void printSet(Value view, const llvm::APFloat &value);
  void printSwap(Value to, Value from);
  void printCompress(CompressMatrixOp op);
  size_t takePrecomputed(BackpropOp op);
  std::string getMulti(ValueRange views, RowTableAttr rows) const;
  void emit(const llvm::Twine &text);

  const PrintedMatrices &matrices;
  llvm::raw_ostream &os;
  size_t numCommands = 0, numPrecomputed = 0;
  /// A stack of precomputed indexes per component: backprop commands pop them
  /// in the reverse order of the propagates.
  llvm::StringMap<llvm::SmallVector<size_t>> precomputed;
};

} // namespace mlir::nnet3

#endif // NNET3_LIB_TARGET_REPORT_PRINTEDCOMMANDS_H
