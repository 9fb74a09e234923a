//===- RowTable.h - Structured tables of source rows ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row table maps each destination row of a command to a source row. Its code
// is a sequence of items in prefix form:
//
//   kRow, source, row                   one row of a source
//   kNone                               no row
//   kLoop, count, stride, length, body  the items of the next `length` words,
//                                       `count` times, with `stride` added to
//                                       the rows each time
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_DIALECT_NNET3_IR_ROWTABLE_H
#define NNET3_DIALECT_NNET3_IR_ROWTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace mlir::nnet3 {

/// A row of one of a command's sources; `source` < 0 means no row.
struct RowRef {
  int32_t source = -1;
  int64_t row = -1;

  static RowRef none() { return {}; }
  bool isNone() const { return source < 0; }
  friend bool operator==(const RowRef &a, const RowRef &b) {
    return a.source == b.source && a.row == b.row;
  }
  friend bool operator!=(const RowRef &a, const RowRef &b) { return !(a == b); }
};

namespace row_table {

using Code = llvm::SmallVector<int64_t>;
enum Item : int64_t { kRow = 0, kNone = 1, kLoop = 2 };

/// Maximum number of entries of a table. Without it, a few characters of text
/// could cause a huge allocation.
constexpr int64_t kMaxSize = int64_t(1) << 26;
/// Exclusive upper bounds of rows and sources.
constexpr int64_t kMaxRow = int64_t(1) << 31;
constexpr int64_t kMaxSource = int64_t(1) << 20;
/// Maximum depth of nested loops.
constexpr unsigned kMaxDepth = 32;

/// Appends the code of a loop around `body`, or only `body` if count is 1.
void appendLoop(Code &code, int64_t count, int64_t stride,
                llvm::ArrayRef<int64_t> body);

/// Encodes a list of rows: runs with a constant step become loops, and runs of
/// equal loops become nested loops.
Code encode(llvm::ArrayRef<RowRef> rows);

/// Makes loops of top-level items, and of lists of them, that repeat.
Code compress(llvm::ArrayRef<int64_t> code);

/// The rows that `code` lists.
llvm::SmallVector<RowRef> expand(llvm::ArrayRef<int64_t> code);

/// Whether well-formed `code` has an entry without a row.
bool hasNone(llvm::ArrayRef<int64_t> code);

/// Number of rows that `code` lists; -1 if the code is malformed, or lists
/// more than kMaxSize.
int64_t size(llvm::ArrayRef<int64_t> code);

/// Calls `fn` for each kRow item of `code` with its source and the smallest and
/// largest row that it has in its loops. Takes time proportional to the length
/// of the code, not to the number of rows. Returns false if a row or source is
/// out of range, or the code is malformed.
bool forEachRange(
    llvm::ArrayRef<int64_t> code,
    llvm::function_ref<void(int64_t source, int64_t first, int64_t last)> fn);

/// Iterates over the rows of well-formed code without expanding it.
class Cursor {
public:
  explicit Cursor(llvm::ArrayRef<int64_t> code) {
    frames.push_back({code, 0, 1, 0, 0});
  }
  /// Returns the next row; nullopt after the last one.
  std::optional<RowRef> next();

private:
  /// The items of a loop's body, or of the whole code.
  struct Frame {
    llvm::ArrayRef<int64_t> items;
    size_t position;
    int64_t rounds;
    int64_t offset;
    int64_t stride;
  };
  llvm::SmallVector<Frame, 4> frames;
};

} // namespace row_table
} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_IR_ROWTABLE_H
