//===- WrittenParts.h - What of a matrix has been written -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_ARENA_WRITTENPARTS_H
#define NNET3_CONVERSION_NNET3TOKERNELS_ARENA_WRITTENPARTS_H

#include "mlir/Support/LLVM.h"

#include "llvm/ADT/BitVector.h"

namespace mlir::nnet3 {

/// Parts of a matrix that are filled with zeros apart, such as those before and
/// behind what is written; where there are more, all of it is filled.
inline constexpr size_t kMostZeroParts = 2;

/// Rows `first`, `first` + `step`, ... of some columns of a matrix.
struct WrittenPart {
  int64_t firstRow, rows, firstColumn, columns;
  int64_t rowStep = 1;
};

/// Of a matrix that is to be the sum of what several commands add to parts of
/// it: which of them may write what they would add, for nothing has been added
/// there before, and what has to be zero for the others.
class WrittenParts {
public:
  WrittenParts(int64_t rows, int64_t columns);

  /// Whether nothing of a part has been written.
  bool isNew(const WrittenPart &part);
  /// The next command writes all of a part that is new.
  void write(const WrittenPart &part);
  /// The next command adds to a part.
  void add(const WrittenPart &part);
  /// The next command writes a part that is new, and says so, or adds to it.
  bool put(const WrittenPart &part);
  /// What has to be zero before the first command: what some command adds to,
  /// but none has written, and what no command has.
  SmallVector<WrittenPart> getZeros() const;

private:
  /// Neighbouring columns that all commands agree about.
  struct Stretch {
    int64_t firstColumn, columns;
    llvm::BitVector written, zero; ///< rows
  };

  void splitAt(int64_t column);
  void forEach(const WrittenPart &part,
               function_ref<void(Stretch &stretch, int64_t row)> body);

  SmallVector<Stretch, 1> stretches;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_ARENA_WRITTENPARTS_H
