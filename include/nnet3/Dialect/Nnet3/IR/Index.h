//===- Index.h - Indexes (n, t, x) and lists of them ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_INDEX_H
#define NNET3_DIALECT_NNET3_IR_INDEX_H

#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

namespace llvm {
class raw_ostream;
}

namespace mlir::nnet3 {

/// The t of blank rows, which non-simple components insert for padding. Blank
/// rows keep their n and x, have no inputs and receive zeros.
constexpr int32_t kNoTime = std::numeric_limits<int32_t>::min();

/// Adds `distance` to t (or x). Saturates at the range of valid times, which
/// excludes kNoTime; requests do not use times at the ends of this range.
inline int32_t shifted(int32_t t, int64_t distance) {
  // kNoTime + 1 is a reserved key of hash tables of Indexes.
  constexpr int64_t first = int64_t(kNoTime) + 2;
  constexpr int64_t last = std::numeric_limits<int32_t>::max();
  return int32_t(std::min(std::max(int64_t(t) + distance, first), last));
}

/// The index of a row of a node: sequence n, time t, spare dimension x. Ordered
/// by t, then x, then n, so that all rows of one frame are adjacent.
struct Index {
  int32_t n = 0;
  int32_t t = 0;
  int32_t x = 0;

  bool isBlank() const { return t == kNoTime; }

  friend bool operator==(const Index &a, const Index &b) {
    return a.n == b.n && a.t == b.t && a.x == b.x;
  }
  friend bool operator!=(const Index &a, const Index &b) { return !(a == b); }
  friend bool operator<(const Index &a, const Index &b) {
    if (a.t != b.t)
      return a.t < b.t;
    if (a.x != b.x)
      return a.x < b.x;
    return a.n < b.n;
  }
};

/// Prints `(n, t)`, or `(n, t, x)` when x is not 0; `_` stands for kNoTime.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Index &index);

/// Times from `first` to `last`, both included, `step` apart.
struct TimeRange {
  int32_t first = 0;
  int32_t last = 0;
  int32_t step = 1;
};

/// Order of rows that are all combinations of ranges of n, t and x.
enum class RowOrder : uint32_t {
  NT,  ///< n, then t, then x innermost; what callers usually list.
  TN,  ///< t, then n, then x.
  TXN, ///< t, then x, then n innermost; the order of internal matrices.
};

/// The rows of a matrix. If every sequence has the same (t, x), the sequences
/// can be factored out: `rows` then lists the rows of one sequence in blocks of
/// `block` rows, and the matrix repeats each block for all sequences. Row
/// (b * block + o) of sequence number k is thus matrix row
/// (b * numSequences + k) * block + o. With `block` = 1 the sequences are
/// innermost, with `block` = rows.size() outermost.
class IndexRows {
public:
  IndexRows() = default;
  /// Lists all rows, without factoring out the sequences.
  explicit IndexRows(llvm::SmallVector<Index> rows) : rows(std::move(rows)) {}
  /// Repeats `rows`, the rows of one sequence, for each n of `sequences`.
  IndexRows(llvm::SmallVector<Index> rows, llvm::SmallVector<int32_t> sequences,
            int64_t block)
      : rows(std::move(rows)), sequences(std::move(sequences)), block(block) {}

  /// Whether sequences are factored out; the n of `rows` are then 0.
  bool isFolded() const { return !sequences.empty(); }
  int64_t numSequences() const { return isFolded() ? sequences.size() : 1; }
  /// Number of rows of the matrix.
  int64_t size() const { return rows.size() * numSequences(); }
  /// The Index of matrix row `row`.
  Index at(int64_t row) const;
  /// The matrix row of entry `entry` of `rows`, for sequence number `k`.
  int64_t rowOf(int64_t entry, int64_t k = 0) const {
    return (entry / block * numSequences() + k) * block + entry % block;
  }
  /// All rows of the matrix.
  llvm::SmallVector<Index> expand() const;

  llvm::SmallVector<Index> rows;
  llvm::SmallVector<int32_t> sequences;
  int64_t block = 1;
};

} // namespace mlir::nnet3

namespace llvm {
template <> struct DenseMapInfo<mlir::nnet3::Index> {
  using Index = mlir::nnet3::Index;
  static Index getEmptyKey() { return {-1, mlir::nnet3::kNoTime + 1, -1}; }
  static Index getTombstoneKey() { return {-2, mlir::nnet3::kNoTime + 1, -2}; }
  static unsigned getHashValue(const Index &index) {
    uint64_t h = (uint64_t(uint32_t(index.t)) << 32 | uint32_t(index.n)) *
                 0x9E3779B97F4A7C15ull;
    h ^= uint64_t(uint32_t(index.x)) * 0xC2B2AE3D27D4EB4Full;
    return unsigned(h ^ (h >> 32));
  }
  static bool isEqual(const Index &a, const Index &b) { return a == b; }
};
} // namespace llvm

#endif // NNET3_DIALECT_NNET3_IR_INDEX_H
