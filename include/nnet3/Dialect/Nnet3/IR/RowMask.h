//===- RowMask.h - Row tables without some of their rows --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which rows of a matrix take part depends on their frames; each frame
// is a block of rows, so that a table keeps its structure when rows of some
// frames leave it.
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
  /// The rows whose frame is one of `frames`. Each frame has `block` rows, and
  /// behind the last frame comes the first one again.
  RowMask(llvm::BitVector frames, int64_t block)
      : frames(std::move(frames)), block(block) {}

  /// The same rows, counted from row `first` of the matrix.
  RowMask from(int64_t first) const {
    RowMask result = *this;
    result.offset += first;
    return result;
  }

  bool isAll() const { return frames.empty(); }
  bool has(int64_t row) const {
    return isAll() || frames[(row + offset) / block % frames.size()];
  }

  /// Rows behind which the frames repeat.
  int64_t period() const { return block * int64_t(frames.size()); }
  /// Where in its frame a row is.
  int64_t rowInFrame(int64_t row) const { return (row + offset) % block; }
  int64_t rowsPerFrame() const { return block; }

private:
  llvm::BitVector frames; ///< empty for all rows
  int64_t block = 1;
  int64_t offset = 0;
};

namespace row_table {

/// `code` with no row where `position` lacks the entry, or the mask of its
/// source the row.
Code keepRows(llvm::ArrayRef<int64_t> code, llvm::ArrayRef<RowMask> sources,
              const RowMask &position);

/// Ranges of rows: `begin`, `begin` + step, ... below `end`; neither where both
/// have no row.
struct Ranges {
  Code begin, end;
};

/// Of each range the part number `part` among those that `rows` has without a
/// gap; nothing where there are fewer, or `position` lacks the entry.
Ranges keepRanges(const Ranges &ranges, int64_t step, const RowMask &rows,
                  const RowMask &position, int64_t part = 0);

} // namespace row_table
} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_IR_ROWMASK_H
