//===- GemmShape.h - Shapes of matmuls on packed weights --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The weights are packed: as panels of consecutive columns of the output, each
// panel row after row of what it is multiplied with. A tile of some rows and
// one panel is kept in registers while the products are summed up.
//
// Scalable vectors change nothing of this layout. A panel has columns for a
// tile of the longest vectors. Where vectors are shorter, it has several
// strips, of as many columns as a tile has; a tile is then of one strip.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_GEMMSHAPE_H
#define NNET3_CONVERSION_KERNELTOVECTOR_GEMMSHAPE_H

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "llvm/Support/MathExtras.h"

#include <optional>

namespace mlir::nnet3 {

/// Sums that keep the adders busy: one is ready after about four cycles, and
/// two begin in each.
constexpr int64_t kSumsInFlight = 8;

/// Rows and vectors of a register tile.
struct GemmTile {
  int64_t rows;
  int64_t vectors;

  /// The tile for `columns` columns of output and sums of products of `depth`
  /// words of `precision`. If there are only `fewRows` rows at times, it may be
  /// narrower and higher, so that these rows read the weights once.
  static GemmTile get(kernel::TargetAttr target, Precision precision,
                      int64_t columns, int64_t depth, int64_t fewRows = 0);
  /// The same for `count` rows, which such tiles share evenly, so that the last
  /// one has enough sums, too.
  GemmTile shareOut(int64_t count) const;
  int64_t getPanelWidth(kernel::TargetAttr target) const {
    return vectors * target.getPanelVectorLength();
  }
};

/// Rows that are multiplied with some rows of the packed weights.
struct GemmInput {
  int64_t first; ///< row of a panel where their weights begin
  int64_t depth; ///< columns
  /// Distance of the rows; none if a row table says where each is.
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
  /// Rows that the sums begin with in turn; their stride is 0 for one.
  int64_t initRows = 0;
  int64_t outputStride;
  Precision precision = Precision::F32;
  /// Whether threads may share the rows, which cost more than handing them out.
  bool isParallel = false;

  /// Makes `tile`, with as many rows as it may have, one for these rows.
  void shareOutRows();
  int64_t getTileRows() const { return std::min(tile.rows, rows); }
  /// Tiles that have all of their rows.
  int64_t getNumWholeTiles() const { return rows / getTileRows(); }
  /// Registers that hold neighbouring sums: wide products fill two at once.
  int64_t getRegistersPerVector() const {
    return target.widens(precision) ? 2 : 1;
  }
  /// Vectors of a tile, of so many registers each.
  int64_t getTileVectors() const {
    return tile.vectors / getRegistersPerVector();
  }
  /// Words of a converted row for each word of the weights.
  int64_t getWordsPerWord() const { return target.widens(precision) ? 2 : 1; }
  /// Words of a row of all inputs.
  int64_t getRowWords() const;
  /// Rows that are multiplied with all panels before the next ones.
  int64_t getBlockRows() const;
  /// Rows of scratch memory, their distance in words, and words in all: rows,
  /// then for int8 two numbers for each, or three with wide products.
  int64_t getScratchRows() const;
  int64_t getScratchStride() const { return llvm::alignTo(getRowWords(), 16); }
  int64_t getScratchSize() const;
  /// Floating-point operations of the products.
  int64_t getFlops() const;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_KERNELTOVECTOR_GEMMSHAPE_H
