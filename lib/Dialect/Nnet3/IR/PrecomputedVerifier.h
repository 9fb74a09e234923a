//===- PrecomputedVerifier.h - Checks what is precomputed -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LIB_DIALECT_NNET3_IR_PRECOMPUTEDVERIFIER_H
#define LIB_DIALECT_NNET3_IR_PRECOMPUTEDVERIFIER_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

namespace mlir::nnet3 {

/// The entries of the dictionary that is precomputed for one command, each with
/// its checks, which emit errors. `ComponentFacts.td` names the check of each
/// component.
class PrecomputedVerifier {
public:
  /// For a command `op` of `component` with so many rows; an input of 0 rows is
  /// not known. `precomputed` is null for nothing.
  PrecomputedVerifier(Operation *op, ComponentOpInterface component,
                      DictionaryAttr precomputed, int64_t inputRows,
                      int64_t outputRows)
      : op(op), component(component), precomputed(precomputed),
        inputRows(inputRows), outputRows(outputRows) {}

  /// Row r of the output reads rows offset + r * stride.
  LogicalResult verifyOffsets(size_t numOffsets);
  /// Row r of the output reads rows r to r + numShifts * shift.
  LogicalResult verifyShift(int64_t numShifts);
  /// Each row of the output reads a range of rows.
  LogicalResult verifyRanges();
  /// Each row of the output is a block of a row.
  LogicalResult verifyBlocks(int64_t numBlocks);
  /// The rows of the sequences, one behind the other.
  LogicalResult verifyLengths();
  /// Each row has one of several masks.
  LogicalResult verifyMasks();
  /// The rows whose derivatives are zeroed, if there are any.
  LogicalResult verifyZeroing();
  LogicalResult verifyNothing();

private:
  template <typename T> T get(StringRef name, StringRef what);
  /// A table `name` with a row below `numRows`, if that is not 0, for each row
  /// of the output or of one of several sequences; null after an error.
  RowTableAttr getTable(StringRef name, int64_t numRows, bool mayBeNone);
  /// Row `row` of the input is there, as far as that is known.
  bool hasInput(int64_t row) const {
    return row >= 0 && (inputRows == 0 || row < inputRows);
  }

  Operation *op;
  ComponentOpInterface component;
  DictionaryAttr precomputed;
  int64_t inputRows, outputRows;
};

} // namespace mlir::nnet3

#endif // LIB_DIALECT_NNET3_IR_PRECOMPUTEDVERIFIER_H
