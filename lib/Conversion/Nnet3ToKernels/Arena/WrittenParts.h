//===- WrittenParts.h - Written parts of a matrix ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_ARENA_WRITTENPARTS_H
#define NNET3_CONVERSION_NNET3TOKERNELS_ARENA_WRITTENPARTS_H

#include "mlir/Support/LLVM.h"

#include "llvm/ADT/BitVector.h"

namespace mlir::nnet3 {

/// Maximum number of parts of a matrix that are zero-filled separately, such as
/// those before and after the written part; with more, the whole matrix is
/// filled.
inline constexpr size_t kMostZeroParts = 2;

/// Rows `first`, `first` + `step`, ... of some columns of a matrix.
struct WrittenPart {
  int64_t firstRow, rows, firstColumn, columns;
  int64_t rowStep = 1;
};

/// For a matrix that several commands accumulate parts of: tracks which
/// commands may write their part instead of adding to it, as nothing has been
/// added there before, and which parts must be zero-filled for the others.
class WrittenParts {
public:
  WrittenParts(int64_t rows, int64_t columns);

  /// Whether no command has written or added to a part.
  bool isNew(const WrittenPart &part);
  /// Records that the next command writes all of a new part.
  void write(const WrittenPart &part);
  /// Records that the next command adds to a part.
  void add(const WrittenPart &part);
  /// Records that the next command writes a part if it is new, in which case it
  /// returns true, or else adds to it.
  bool put(const WrittenPart &part);
  /// Returns the parts that must be zero before the first command: those that
  /// some command adds to before any has written them, and those that no
  /// command touches.
  SmallVector<WrittenPart> getZeros() const;

private:
  /// Neighbouring columns with the same written rows.
  struct Slice {
    int64_t firstColumn, columns;
    llvm::BitVector written, zero; ///< rows
  };

  void splitAt(int64_t column);
  void forEach(const WrittenPart &part,
               function_ref<void(Slice &slice, int64_t row)> body);

  SmallVector<Slice, 1> slices;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_ARENA_WRITTENPARTS_H
