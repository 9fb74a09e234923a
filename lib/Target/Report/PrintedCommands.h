//===- PrintedCommands.h - Commands as Kaldi prints them --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_LIB_TARGET_REPORT_PRINTEDCOMMANDS_H
#define NNET3_LIB_TARGET_REPORT_PRINTEDCOMMANDS_H

#include "nnet3/Dialect/Nnet3/Analysis/MatrixWindow.h"

#include "llvm/ADT/StringMap.h"

namespace nnet3 {

/// The matrices of a computation, m1 the first that is made. A compressed
/// matrix is the one that it was made of, and what a round of a loop starts
/// with is what the first one is given.
class PrintedMatrices {
public:
  explicit PrintedMatrices(mlir::nnet3::ComputationOp computation);

  /// The values that first name the matrices, in order.
  llvm::ArrayRef<mlir::Value> getValues() const { return values; }
  /// `m3`, for a matrix or its compressed copy.
  std::string getName(mlir::Value matrix) const;
  /// `m3` or `m3(0:9, 4:7)`, both ends included.
  std::string getView(mlir::Value view) const;
  /// `m3(5,:)` or `m3(5,4:7)`: a row of a view.
  std::string getRow(mlir::Value view, int64_t row) const;

private:
  void add(mlir::Operation *op);

  llvm::SmallVector<mlir::Value> values;
  // Only looked up, never iterated.
  llvm::DenseMap<mlir::Value, size_t> numbers;
};

/// Prints commands, counting them.
class CommandPrinter {
public:
  CommandPrinter(const PrintedMatrices &matrices, llvm::raw_ostream &os)
      : matrices(matrices), os(os) {}

  /// Reports an error for a command that Kaldi does not have.
  llvm::LogicalResult printAll(mlir::Block &commands);

private:
  llvm::LogicalResult print(mlir::Operation *op);
  llvm::LogicalResult printStorage(mlir::Operation *op);
  llvm::LogicalResult printRows(mlir::Operation *op);
  llvm::LogicalResult printRanges(mlir::nnet3::AddRowRangesOp op);
  llvm::LogicalResult printLoop(mlir::nnet3::LoopOp loop);
  llvm::LogicalResult printMoves(mlir::nnet3::LoopOp loop);
  void printPropagate(mlir::nnet3::PropagateOp op);
  void printBackprop(mlir::nnet3::BackpropOp op);
  void printSet(mlir::Value view, const llvm::APFloat &value);
  void printSwap(mlir::Value to, mlir::Value from);
  void printCompress(mlir::nnet3::CompressMatrixOp op);
  size_t takePrecomputed(mlir::nnet3::BackpropOp op);
  std::string getMulti(mlir::ValueRange views,
                       mlir::nnet3::RowTableAttr rows) const;
  void emit(const llvm::Twine &text);

  const PrintedMatrices &matrices;
  llvm::raw_ostream &os;
  size_t numCommands = 0, numPrecomputed = 0;
  /// What the propagations of a component have, the last on top: backward
  /// passes take it in the opposite order.
  llvm::StringMap<llvm::SmallVector<size_t>> precomputed;
};

} // namespace nnet3

#endif // NNET3_LIB_TARGET_REPORT_PRINTEDCOMMANDS_H
