//===- PrecomputedVerifier.h - Checks of precomputed data -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LIB_DIALECT_NNET3_IR_PRECOMPUTEDVERIFIER_H
#define LIB_DIALECT_NNET3_IR_PRECOMPUTEDVERIFIER_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

namespace mlir::nnet3 {

/// Checks the entries of the dictionary that is precomputed for one command,
/// and emits errors. `ComponentFacts.td` names the check of each component.
class PrecomputedVerifier {
public:
  /// For a command `op` of `component`. `inputRows` is 0 if unknown;
  /// `precomputed` may be null.
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
  /// Each row of the output is a block of columns of an input row.
  LogicalResult verifyBlocks(int64_t numBlocks);
  /// The rows of the sequences, in order, and the length of each sequence.
  LogicalResult verifyLengths();
  /// Each row has one of several masks.
  LogicalResult verifyMasks();
  /// The times of the rows, if there are any.
  LogicalResult verifyTimes();
  LogicalResult verifyNothing();

private:
  template <typename T> T get(StringRef name, StringRef what);
  /// Returns the table `name`, which must have an entry for each output row or
  /// for each output row of one of several sequences, and rows below `numRows`
  /// unless that is 0; null after an error.
  RowTableAttr getTable(StringRef name, int64_t numRows, bool mayBeNone);
  /// Whether input row `row` exists, as far as the number of rows is known.
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
