//===- SplitRowOps.cpp - Split commands with several matrices -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/IR/RowTableAlgebra.h"
#include "nnet3/Optimize/Passes.h"
#include "nnet3/Optimize/RewriteCommands.h"
#include "nnet3/Optimize/Views.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3SPLITROWOPS
#include "nnet3/Optimize/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::row_table;

namespace {
/// A part of the table that refers to one matrix.
struct Piece {
  int64_t source;       ///< number of the matrix
  int64_t begin, count; ///< entries of the table
  int64_t first, last;  ///< smallest and largest row of the entries
  Code rows;            ///< the entries relative to `first`
  bool isConsecutive;   ///< first, first + 1, ...
};
} // namespace

/// Splits `table` into pieces; none if that is not possible.
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

/// Whether the command with the inverted table costs little more than the rows
/// it moves: `piece` fills its range, or covers half of the rows of the matrix.
/// Neither depends on the number of sequences if these are equal.
static bool mayInvert(const Piece &piece, Value dest) {
  return piece.last + 1 - piece.first == piece.count ||
         MatrixWindow::get(dest).matrixRows() <= 2 * piece.count;
}

/// Returns the inverse table: for each row of the other matrix the entry of
/// `piece` that refers to it.
static RowTableAttr invert(MLIRContext *context, const Piece &piece) {
  SmallVector<RowRef> rows(piece.last + 1 - piece.first);
  for (auto [i, row] : llvm::enumerate(expand(piece.rows)))
    rows[row.row] = {0, int64_t(i)};
  return RowTableAttr::get(context, ArrayRef<RowRef>(rows));
}

template <typename OpTy, typename MatrixOp, typename RowsOp>
static LogicalResult splitFrom(OpTy op, PatternRewriter &rewriter) {
  auto pieces = getPieces(op.getRowsAttr());
  if (!pieces)
    return failure();
  Location loc = op.getLoc();
  for (const Piece &piece : *pieces) {
    Value dest =
        sliceRows(rewriter, loc, op.getDest(), piece.begin, piece.count);
    Value source = sliceRows(rewriter, loc, op.getSources()[piece.source],
                             piece.first, piece.last + 1 - piece.first);
    if (piece.isConsecutive)
      MatrixOp::create(rewriter, loc, source, dest, op.getAlphaAttr());
    else
      RowsOp::create(
          rewriter, loc, source,
          RowTableAttr::get(op.getContext(), ArrayRef<int64_t>(piece.rows)),
          dest, op.getAlphaAttr());
  }
  rewriter.eraseOp(op);
  return success();
}

/// Additions to rows that are not consecutive use the inverted command. Copies
/// to such rows are not split: the inverted command would zero the rows between
/// them.
template <typename OpTy>
static LogicalResult splitTo(OpTy op, PatternRewriter &rewriter) {
  constexpr bool isCopy = std::is_same_v<OpTy, CopyToRowsMultiOp>;
  auto pieces = getPieces(op.getRowsAttr());
  auto canSplit = [&](const Piece &piece) {
    return piece.isConsecutive ||
           (!isCopy && mayInvert(piece, op.getDests()[piece.source]));
  };
  if (!pieces || !llvm::all_of(*pieces, canSplit))
    return failure();
  Location loc = op.getLoc();
  for (const Piece &piece : *pieces) {
    Value source =
        sliceRows(rewriter, loc, op.getSource(), piece.begin, piece.count);
    Value dest = sliceRows(rewriter, loc, op.getDests()[piece.source],
                           piece.first, piece.last + 1 - piece.first);
    if constexpr (isCopy)
      MatrixCopyOp::create(rewriter, loc, source, dest,
                           rewriter.getF32FloatAttr(1));
    else if (piece.isConsecutive)
      MatrixAddOp::create(rewriter, loc, source, dest, op.getAlphaAttr());
    else
      AddRowsOp::create(rewriter, loc, source, invert(op.getContext(), piece),
                        dest, op.getAlphaAttr());
  }
  rewriter.eraseOp(op);
  return success();
}

namespace {
struct SplitRowOps : public nnet3::impl::Nnet3SplitRowOpsBase<SplitRowOps> {
  void runOnCommands() override {
    RewritePatternSet patterns(&getContext());
    patterns.add(splitFrom<AddRowsMultiOp, MatrixAddOp, AddRowsOp>);
    patterns.add(splitFrom<CopyRowsMultiOp, MatrixCopyOp, CopyRowsOp>);
    patterns.add(splitTo<AddToRowsMultiOp>);
    patterns.add(splitTo<CopyToRowsMultiOp>);
    const int64_t count = rewriteCommands(getOperation(), std::move(patterns));
    numSplit += count;
    if (count == 0)
      markAllAnalysesPreserved();
  }

private:
  PassCount numSplit{"commands split"};
};
} // namespace
