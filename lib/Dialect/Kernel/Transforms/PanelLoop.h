//===- PanelLoop.h - Loops over panels of packed weights --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_DIALECT_KERNEL_TRANSFORMS_PANELLOOP_H
#define NNET3_LIB_DIALECT_KERNEL_TRANSFORMS_PANELLOOP_H

#include "ViewExtent.h"

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::nnet3::kernel {

/// Returns the elements of a view at a constant offset. Panels are contiguous,
/// so they count as one row.
std::optional<ViewExtent> getExtent(Value view);
/// Whether two views are known to be disjoint.
bool areApart(Value first, Value second);

/// Returns the next operation that accesses memory; null if there is none.
Operation *getNextAccess(Operation *op);
/// Returns the matmuls that read the panels of `pack`, in order; none if other
/// operations prevent moving `pack` down to them.
SmallVector<GemmOp> findReaders(PackOp pack);
/// Returns the number of rows of its panels that `op` reads.
int64_t getDepth(GemmOp op);
/// Whether `op` computes its columns independently, its operands do not overlap
/// `panels`, and it has enough rows that one call per panel costs little.
bool computesPanels(GemmOp op, Value panels);

/// Some rows of a matrix.
struct RowRange {
  int64_t first, count;
};

/// Replaces matmuls by a loop over panels, which packs one panel at a time to
/// the memory of `panels`, right before it is multiplied.
class PanelLoop {
public:
  /// The loop is created before `at`; `threads` threads share the panels.
  PanelLoop(Operation *at, PackOp pack, int64_t depth, int64_t threads)
      : b(at->getLoc(), at), panels(pack.getPanels()), depth(depth),
        threads(threads), columns(pack.getNumColumns()),
        width(pack.getPanels().getType().getDimSize(2)) {}
  virtual ~PanelLoop() = default;

  void create();

protected:
  /// `count` columns of the output, starting at column `first`, or `number`
  /// panels after it if `number` is not null.
  struct Columns {
    int64_t first, count;
    Value number = {};
    /// The thread into whose memory the panel is packed; null for the first.
    Value thread = {};
  };
  /// Emits the code for the columns of one panel.
  virtual void emitPanel(const Columns &columns) = 0;

  /// Returns rows `row`, ..., `row` + `count` - 1 of the panel in memory.
  Value createPanel(int64_t row, int64_t count, const Columns &columns);
  /// Packs as many rows of a matrix as `panel` has, from row `first` on.
  void packRows(PackOp pack, int64_t first, Value panel,
                const Columns &columns);
  /// Clones a matmul for some rows and columns of the output.
  GemmOp multiply(GemmOp gemm, ValueRange inputs, ArrayRef<int64_t> panelRows,
                  Value panel, std::optional<RowRange> rows,
                  const Columns &columns);
  /// Returns these rows and columns of a matrix, or columns of a vector.
  Value slice(Value view, std::optional<RowRange> rows, const Columns &columns);

  ImplicitLocOpBuilder b;

private:
  void createLoop(int64_t count);
  /// Returns the offset of the first of `columns`, if column 0 of the matrix is
  /// at offset `first` and columns are `distance` apart.
  Value getPlace(int64_t first, const Columns &columns, int64_t distance = 1);

  Value panels;
  int64_t depth;   ///< of a panel
  int64_t threads; ///< that share the panels
  int64_t columns; ///< of all panels together
  int64_t width;   ///< of a panel
};

/// Two matmuls of consecutive operations whose second one adds to the output of
/// the first, some rows further down, as the time offsets of a component do.
struct ShiftedProducts {
  PackOp packs[2];
  GemmOp gemms[2];
  int64_t shift; ///< in rows

  /// Returns nothing if no such matmuls begin with `pack`, or if a panel of
  /// both would exceed `bytes` bytes.
  static std::optional<ShiftedProducts> get(PackOp pack, int64_t threads,
                                            int64_t bytes);
  /// Replaces the matmuls by a loop in which rows that both compute are
  /// computed once, from the inputs of both.
  void merge(int64_t threads) const;
};

/// Two groups of matmuls of consecutive operations: they multiply rows of one
/// matrix, `shift` rows apart.
struct SharedRows {
  PackOp packs[2];
  SmallVector<GemmOp> gemms[2];
  int64_t shift; ///< of the second pack's rows; may be negative

  /// Returns nothing if no such matmuls begin with `pack`.
  static std::optional<SharedRows> get(PackOp pack, int64_t threads);
  /// Replaces the matmuls by a loop that packs rows of both once.
  void merge(int64_t threads) const;
};

} // namespace mlir::nnet3::kernel

#endif // NNET3_LIB_DIALECT_KERNEL_TRANSFORMS_PANELLOOP_H
