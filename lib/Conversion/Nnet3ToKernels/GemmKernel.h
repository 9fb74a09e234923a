//===- GemmKernel.h - Matrix products as loops over vectors -----*- C++ -*-===//
//
// The weights are packed: as panels of consecutive columns of the output, each
// panel row after row of what it is multiplied with. A tile of some rows and
// one panel is kept in registers while the products are summed up.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_GEMMKERNEL_H
#define NNET3_CONVERSION_NNET3TOKERNELS_GEMMKERNEL_H

#include "nnet3/Conversion/Nnet3ToKernels/Precision.h"
#include "nnet3/Fusion/KernelInterfaces.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

namespace mlir::nnet3 {

/// Arguments of kernels before the places: arena, weights, row tables, context.
constexpr unsigned getFirstPlace() { return 4; }

/// What the code is for.
struct VectorTarget {
  int64_t length; ///< floats in a register
  int64_t numRegisters;
  /// Kernels for threads of a device: parallel loops of single numbers.
  bool device = false;
  /// Whether it has an instruction that adds up the products of bf16 pairs or
  /// of four numbers of 8 bits, whichever products are computed in.
  bool dotProducts = false;
};

/// Rows and vectors of a register tile.
struct GemmTile {
  int64_t rows;
  int64_t vectors;

  /// The tile for `columns` columns of output and sums of products of `depth`
  /// words.
  static GemmTile get(const VectorTarget &target, int64_t columns,
                      int64_t depth);
  int64_t getPanelWidth(const VectorTarget &target) const {
    return vectors * target.length;
  }
};

/// Rows that are multiplied with some rows of the packed weights.
struct GemmInput {
  int64_t first; ///< row of a panel where their weights begin
  int64_t depth; ///< columns
  /// Distance of the rows; none if a row table says where each is.
  std::optional<int64_t> stride;
};

/// A product and what happens to it, as `nnet3.fused_affine` says.
struct GemmKernel {
  int64_t rows, columns;
  int64_t depth; ///< rows of a panel
  GemmTile tile;
  SmallVector<GemmInput> inputs;
  bool bias;
  std::optional<int64_t> initStride, residualStride;
  /// Rows that the sums begin with in turn; their stride is 0 for one.
  int64_t initRows = 0;
  float residualScale = 1;
  int64_t outputStride;
  SmallVector<ElementwiseKernelInterface> epilogue;
  Precision precision = Precision::F32;
  /// Whether threads may share the rows, which cost more than handing them out.
  bool isParallel = false;

  /// Number of index arguments behind arena, weights and row tables: weights,
  /// bias if there is one, each vector of the epilogue, output, init and
  /// residual if there are, each input's place or its table's; for less than
  /// f32 scratch in the arena, for int8 also the scales and the sums of the
  /// columns.
  unsigned getNumPlaces() const;

  int64_t getTileRows() const { return std::min(tile.rows, rows); }
  /// Words of a row of all inputs.
  int64_t getRowWords() const;
  /// Rows that are multiplied with all panels before the next ones.
  int64_t getBlockRows() const;
  /// Rows of scratch memory, their distance in words, and words in all: rows,
  /// then for int8 two numbers for each.
  int64_t getScratchRows() const;
  int64_t getScratchStride() const { return llvm::alignTo(getRowWords(), 16); }
  int64_t getScratchSize() const;

  /// Floating-point operations of the products.
  int64_t getFlops() const;
  /// Creates the body of `function`, whose arguments are the arena, the
  /// weights, the row tables, and the places.
  void emit(func::FuncOp function, const VectorTarget &target) const;
  /// Tiles that have all of their rows.
  int64_t getNumWholeTiles() const;
  /// Creates what computes whole tiles from `begin` to `end` - 1, with what is
  /// left of the rows behind the last; `arguments` are those of emit().
  void emitPart(OpBuilder &builder, Location loc, const VectorTarget &target,
                ValueRange arguments, Value begin, Value end) const;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_GEMMKERNEL_H
