//===- GemmShape.h - Shapes of matmuls on packed weights --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The weights are packed in panels of consecutive columns of the output. A
// panel has one row for each column of the input. A tile of some rows of the
// output and one panel is kept in registers as accumulators.
//
// With scalable vectors the layout is the same: a panel has columns for a tile
// of the longest vectors. On a machine with shorter vectors, a panel is divided
// into strips as wide as the vectors of a tile; a tile then covers one strip.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_GEMMSHAPE_H
#define NNET3_CONVERSION_KERNELTOVECTOR_GEMMSHAPE_H

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "llvm/Support/MathExtras.h"

#include <optional>

namespace mlir::nnet3 {

/// Number of independent accumulators that hide the latency of multiply-adds:
/// about four cycles, with two multiply-adds per cycle.
constexpr int64_t kSumsInFlight = 8;

/// A register tile: its number of rows, and of vectors of columns.
struct GemmTile {
  int64_t rows;
  int64_t vectors;

  /// Chooses the tile for an output of `columns` columns and inputs of `depth`
  /// words of `precision`. If some runs have only `fewRows` rows, the tile may
  /// be narrower and higher, so that the weights are read once for these rows.
  static GemmTile get(kernel::TargetAttr target, Precision precision,
                      int64_t columns, int64_t depth, int64_t fewRows = 0);
  /// Returns the tile for `count` rows. It may have fewer rows, so that the
  /// rows are divided evenly and the last tile also has enough accumulators.
  GemmTile shareOut(int64_t count) const;
  int64_t getPanelWidth(kernel::TargetAttr target) const {
    return vectors * target.getPanelVectorLength();
  }
};

/// An input of a matmul.
struct GemmInput {
  int64_t first; ///< first row of a panel with the weights of this input
  int64_t depth; ///< number of columns
  /// Stride between rows; nullopt if a row table lists their offsets.
  std::optional<int64_t> stride;
  int64_t columnStride = 1;
};

struct GemmShape {
  kernel::TargetAttr target;
  int64_t rows, columns;
  int64_t depth; ///< rows of a panel
  GemmTile tile;
  SmallVector<GemmInput> inputs;
  std::optional<int64_t> initStride;
  /// Number of rows of the initial value of the accumulators, which is
  /// repeated; its stride is 0 for one row.
  int64_t initRows = 0;
  int64_t outputStride;
  Precision precision = Precision::F32;
  /// Whether threads may share the rows, because the matmul is large enough.
  bool isParallel = false;

  /// Reduces the rows of `tile` from their maximum, so that tiles divide the
  /// rows of this shape evenly.
  void shareOutRows();
  int64_t getTileRows() const { return std::min(tile.rows, rows); }
  /// Number of tiles that have all of their rows.
  int64_t getNumWholeTiles() const { return rows / getTileRows(); }
  /// Number of registers of a vector of accumulators: two with wide products.
  int64_t getRegistersPerVector() const {
    return target.widens(precision) ? 2 : 1;
  }
  /// Number of vectors of a tile, of getRegistersPerVector() registers each.
  int64_t getTileVectors() const {
    return tile.vectors / getRegistersPerVector();
  }
  /// Words of a converted row for each word of the weights.
  int64_t getWordsPerWord() const { return target.widens(precision) ? 2 : 1; }
  /// Words of a row of all inputs.
  int64_t getRowWords() const;
  /// Number of rows that are multiplied by all panels before the next rows.
  int64_t getBlockRows() const;
  /// Number of rows in the scratch buffer, their stride in words, and the total
  /// number of words. With integers, two values for each row follow the rows,
  /// or three with wide products.
  int64_t getScratchRows() const;
  int64_t getScratchStride() const { return llvm::alignTo(getRowWords(), 16); }
  int64_t getScratchSize() const;
  /// Number of floating-point operations of the matmul.
  int64_t getFlops() const;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_KERNELTOVECTOR_GEMMSHAPE_H
