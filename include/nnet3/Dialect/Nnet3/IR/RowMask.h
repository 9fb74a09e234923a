//===- RowMask.h - Masks of rows for row tables -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mask selects rows by their frames. Each frame is a block of rows, so that a
// row table keeps its loops when the rows of some frames are removed.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_DIALECT_NNET3_IR_ROWMASK_H
#define NNET3_DIALECT_NNET3_IR_ROWMASK_H

#include "nnet3/Dialect/Nnet3/IR/RowTable.h"

#include "llvm/ADT/BitVector.h"

namespace mlir::nnet3 {

/// Some of the rows of a matrix.
class RowMask {
public:
  /// All rows.
  RowMask() = default;
  /// The rows whose frame is one of `frames`. Each frame has `block` rows;
  /// after the last frame, the frames repeat.
  RowMask(llvm::BitVector frames, int64_t block)
      : frames(std::move(frames)), block(block) {}

  /// Returns the same mask for row numbers relative to row `first`.
  RowMask from(int64_t first) const {
    RowMask result = *this;
    result.offset += first;
    return result;
  }

  bool isAll() const { return frames.empty(); }
  bool has(int64_t row) const {
    return isAll() || frames[(row + offset) / block % frames.size()];
  }

  /// Number of rows after which the frames repeat.
  int64_t period() const { return block * int64_t(frames.size()); }
  /// Position of a row in its frame.
  int64_t rowInFrame(int64_t row) const { return (row + offset) % block; }
  int64_t rowsPerFrame() const { return block; }

private:
  llvm::BitVector frames; ///< empty for all rows
  int64_t block = 1;
  int64_t offset = 0;
};

namespace row_table {

/// Returns `code` with `kNone` for entries that `position` does not select, and
/// for rows that the mask of their source does not select.
Code keepRows(llvm::ArrayRef<int64_t> code, llvm::ArrayRef<RowMask> sources,
              const RowMask &position);

/// Ranges of rows: `begin`, `begin` + step, ... below `end`. A range is empty
/// if both entries are `kNone`.
struct Ranges {
  Code begin, end;
};

/// Splits each range into the maximal parts all of whose rows `rows` selects,
/// and returns part number `part`. A range is empty if it has fewer parts, or
/// if `position` does not select its entry.
Ranges keepRanges(const Ranges &ranges, int64_t step, const RowMask &rows,
                  const RowMask &position, int64_t part = 0);

} // namespace row_table
} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_IR_ROWMASK_H
