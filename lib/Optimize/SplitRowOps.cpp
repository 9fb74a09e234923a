//===- SplitRowOps.cpp - Split commands with several matrices -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/IR/RowTableAlgebra.h"
#include "nnet3/Optimize/Passes.h"
#include "nnet3/Optimize/Views.h"

#include "llvm/ADT/TypeSwitch.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3SPLITROWOPS
#include "nnet3/Optimize/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::row_table;

namespace {
/// A part of the table that names one matrix.
struct Piece {
  int64_t source;       ///< number of the matrix
  int64_t begin, count; ///< entries of the table
  int64_t first, last;  ///< rows that they name, from the least to the largest
  Code rows;            ///< the entries, counted from `first`
  bool isConsecutive;   ///< first, first + 1, ...
};
} // namespace

/// The pieces of `table`; none if it cannot be split.
static std::optional<SmallVector<Piece>> getPieces(RowTableAttr table) {
  std::optional<SmallVector<Run>> runs = getRuns(table.getCode(), 2);
  if (!runs)
    return std::nullopt;
  SmallVector<Piece> pieces;
  for (const Run &run : *runs) {
    Piece piece{run.source, run.begin, run.count, INT64_MAX, -1, {}, false};
    Code part = slice(table.getCode(), run.begin, run.count);
    forEachRange(part, [&](int64_t, int64_t first, int64_t last) {
      piece.first = std::min(piece.first, first);
      piece.last = std::max(piece.last, last);
    });
    piece.rows = withOneSource(shifted(part, -piece.first));
    std::optional<Progression> progression = getProgression(piece.rows);
    piece.isConsecutive = progression && progression->step == 1;
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

/// Whether the command with the inverted table has not much more to do than it
/// moves: `piece` fills its range, or names half of the rows of the matrix.
/// Neither depends on how many sequences there are, if all are alike.
static bool mayInvert(const Piece &piece, Value dest) {
  return piece.last + 1 - piece.first == piece.count ||
         MatrixWindow::get(dest).matrixRows() <= 2 * piece.count;
}

/// The table that says, for each row of the other matrix, which entry of
/// `piece` names it.
static RowTableAttr invert(MLIRContext *context, const Piece &piece) {
  SmallVector<RowRef> rows(piece.last + 1 - piece.first);
  for (auto [i, row] : llvm::enumerate(expand(piece.rows)))
    rows[row.row] = {0, int64_t(i)};
  return RowTableAttr::get(context, ArrayRef<RowRef>(rows));
}

namespace {
struct SplitRowOps : public nnet3::impl::Nnet3SplitRowOpsBase<SplitRowOps> {
  void runOnOperation() override {
    bool changed = false;
    for (Operation &op :
         llvm::make_early_inc_range(getOperation().getBody().front())) {
      bool split = TypeSwitch<Operation *, bool>(&op)
                       .Case([&](AddRowsMultiOp add) {
                         return splitFrom<MatrixAddOp, AddRowsOp>(add);
                       })
                       .Case([&](CopyRowsMultiOp copy) {
                         return splitFrom<MatrixCopyOp, CopyRowsOp>(copy);
                       })
                       .Case<AddToRowsMultiOp, CopyToRowsMultiOp>(
                           [&](auto scatter) { return splitTo(scatter); })
                       .Default(false);
      if (!split)
        continue;
      op.erase();
      ++numSplit;
      changed = true;
    }
    if (!changed)
      markAllAnalysesPreserved();
  }

private:
  template <typename MatrixOp, typename RowsOp, typename OpTy>
  bool splitFrom(OpTy op) {
    auto pieces = getPieces(op.getRowsAttr());
    if (!pieces)
      return false;
    OpBuilder builder(op);
    for (const Piece &piece : *pieces) {
      Value dest = sliceRows(builder, op.getLoc(), op.getDest(), piece.begin,
                             piece.count);
      Value source =
          sliceRows(builder, op.getLoc(), op.getSources()[piece.source],
                    piece.first, piece.last + 1 - piece.first);
      if (piece.isConsecutive)
        MatrixOp::create(builder, op.getLoc(), source, dest, op.getAlphaAttr());
      else
        RowsOp::create(
            builder, op.getLoc(), source,
            RowTableAttr::get(&getContext(), ArrayRef<int64_t>(piece.rows)),
            dest, op.getAlphaAttr());
    }
    return true;
  }

  /// Rows that are not consecutive are added by the inverted command. Copies to
  /// them stay: the inverted one would set the rows between them to zero.
  template <typename OpTy> bool splitTo(OpTy op) {
    constexpr bool isCopy = std::is_same_v<OpTy, CopyToRowsMultiOp>;
    auto pieces = getPieces(op.getRowsAttr());
    auto canSplit = [&](const Piece &piece) {
      return piece.isConsecutive ||
             (!isCopy && mayInvert(piece, op.getDests()[piece.source]));
    };
    if (!pieces || !llvm::all_of(*pieces, canSplit))
      return false;
    OpBuilder builder(op);
    for (const Piece &piece : *pieces) {
      Value source = sliceRows(builder, op.getLoc(), op.getSource(),
                               piece.begin, piece.count);
      Value dest = sliceRows(builder, op.getLoc(), op.getDests()[piece.source],
                             piece.first, piece.last + 1 - piece.first);
      if constexpr (isCopy)
        MatrixCopyOp::create(builder, op.getLoc(), source, dest,
                             builder.getF32FloatAttr(1));
      else if (piece.isConsecutive)
        MatrixAddOp::create(builder, op.getLoc(), source, dest,
                            op.getAlphaAttr());
      else
        AddRowsOp::create(builder, op.getLoc(), source,
                          invert(&getContext(), piece), dest,
                          op.getAlphaAttr());
    }
    return true;
  }

  PassCount numSplit{"commands split"};
};
} // namespace
