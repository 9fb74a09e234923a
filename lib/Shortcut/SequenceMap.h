//===- SequenceMap.h - Row numbers with more sequences ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_SHORTCUT_SEQUENCEMAP_H
#define NNET3_LIB_SHORTCUT_SEQUENCEMAP_H

#include "nnet3/Dialect/Nnet3/IR/Index.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVector.h"
#include <map>

namespace mlir::nnet3 {

/// Rows [begin, begin + count) of a matrix of two sequences. Blocks of `stride`
/// rows with n = 0 and of `stride` rows with n = 1 alternate.
struct SequenceRows {
  int64_t stride = 1;
  int64_t matrixRows = 0;
  int64_t begin = 0;
  int64_t count = 0;

  int64_t end() const { return begin + count; }
  /// Returns the sequence of a row of the matrix.
  int64_t sequenceOf(int64_t row) const { return row / stride % 2; }
  bool contains(int64_t row) const { return row >= begin && row < end(); }
  /// Returns true if no block is cut.
  bool hasWholeBlocks() const {
    return begin % (2 * stride) == 0 && count % (2 * stride) == 0;
  }
  /// Returns true if each row has the same n as the row of `other` with the
  /// same number, for any number of sequences.
  bool isAlignedWith(const SequenceRows &other) const {
    return count == other.count && stride == other.stride &&
           (begin - other.begin) % (2 * stride) == 0;
  }
};

/// Maps row numbers of a matrix from 2 to `numSequences` sequences (shortcut.md
/// 5.2). Rows of the first sequence stay in the first one; rows of the second
/// move to the last one.
class SequenceMap {
public:
  explicit SequenceMap(int64_t numSequences) : count(numSequences) {}

  int64_t getNumSequences() const { return count; }
  /// Returns the expanded number of rows of a matrix with `rows` rows.
  int64_t size(int64_t rows) const { return rows / 2 * count; }
  /// Returns the new number of row `row` of a matrix.
  int64_t map(int64_t stride, int64_t row) const {
    int64_t block = row / (2 * stride), rest = row % (2 * stride);
    int64_t n = rest / stride == 0 ? 0 : count - 1;
    return block * stride * count + n * stride + rest % stride;
  }
  int64_t mapBegin(const SequenceRows &rows) const {
    return map(rows.stride, rows.begin);
  }
  int64_t mapCount(const SequenceRows &rows) const {
    return map(rows.stride, rows.end() - 1) + 1 - mapBegin(rows);
  }
  /// Returns the rows of the matrix for buildRowTable, which uses only the
  /// sequences and the stride. The reference stays valid.
  const IndexRows &getIndexRows(const SequenceRows &rows) const {
    auto [entry, isNew] = indexRows.try_emplace(rows.stride);
    if (isNew)
      entry->second = IndexRows(
          {}, llvm::to_vector(llvm::seq<int32_t>(0, count)), rows.stride);
    return entry->second;
  }

private:
  int64_t count;
  /// Cached by stride; there are few different strides.
  mutable std::map<int64_t, IndexRows> indexRows;
};

} // namespace mlir::nnet3

#endif // NNET3_LIB_SHORTCUT_SEQUENCEMAP_H
