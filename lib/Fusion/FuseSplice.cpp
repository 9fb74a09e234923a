//===- FuseSplice.cpp - Read the sources of splices in place --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FusedInputs.h"
#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/IR/RowTableAlgebra.h"
#include "nnet3/Fusion/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3FUSESPLICE
#include "nnet3/Fusion/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {

/// A copy of rows into some columns of a splice.
struct SpliceBlock {
  int32_t command;
  MatrixWindow dest;
  Value source;
  RowTableAttr rows; ///< null: the same rows
};

/// Some columns of a splice and their source.
struct Piece {
  int64_t col, cols;
  /// The copy that fills them; none if another command does.
  std::optional<SpliceBlock> block;
};

struct FuseSplice : public nnet3::impl::Nnet3FuseSpliceBase<FuseSplice> {
  void runOnCommands() override;

private:
  bool fuse(FusedAffineOp op, int32_t number);
  SmallVector<Piece> getPieces(Value splice, int32_t number,
                               const MatrixWindow &output);
  std::optional<SpliceBlock> getBlock(const MatrixWindow &window,
                                      int32_t number,
                                      const MatrixWindow &output);
  std::optional<SmallVector<int32_t>> getWriters(const MatrixWindow &window,
                                                 int32_t number);
  bool isUnchanged(Value source, int32_t from, int32_t number);
  bool isZero(const MatrixWindow &window, int32_t number);
  void keepUntil(Value source, int32_t number);
  void removeUnread();

  CommandAnalysis *analysis = nullptr;
  PassCount numFused{"inputs replaced"};
  PassCount numCommands{"copies removed"};
};

} // namespace

/// Returns the copy of command `op`, if it is a copy with factor 1.
static std::optional<SpliceBlock> getCopy(Operation *op, int32_t number) {
  if (auto copy = dyn_cast<MatrixCopyOp>(op))
    if (copy.getAlpha().isExactlyValue(1.0) &&
        copy.getSource() != copy.getDest())
      return SpliceBlock{number, MatrixWindow::get(copy.getDest()),
                         copy.getSource(), RowTableAttr()};
  if (auto copy = dyn_cast<CopyRowsOp>(op))
    if (copy.getAlpha().isExactlyValue(1.0))
      return SpliceBlock{number, MatrixWindow::get(copy.getDest()),
                         copy.getSource(), copy.getRows()};
  return std::nullopt;
}

/// Whether command `number` may read `source` instead of its copy by command
/// `from`: no command in between writes or frees it.
bool FuseSplice::isUnchanged(Value source, int32_t from, int32_t number) {
  MatrixWindow window = MatrixWindow::get(source);
  bool unchanged = true;
  analysis->getVariables(window).forEach([&](int32_t variable) {
    for (const Access &access : analysis->getVariableAccesses(variable))
      unchanged &=
          !access.writes() || access.command <= from || access.command > number;
  });
  int32_t end =
      analysis->getMatrixAccesses(analysis->getMatrixNumber(window.matrix))
          .deallocate;
  return unchanged && (end < 0 || end > number ||
                       isa<DeallocMatrixOp>(analysis->getCommand(end)));
}

/// Whether the last write to all of `window` before `number` is a zero-fill.
bool FuseSplice::isZero(const MatrixWindow &window, int32_t number) {
  bool isZero = true;
  analysis->getVariables(window).forEach([&](int32_t variable) {
    bool zeroed = false;
    for (const Access &access : analysis->getVariableAccesses(variable))
      if (access.writes() && access.command < number)
        zeroed = access.isZeroing;
    isZero &= zeroed;
  });
  return isZero;
}

/// Returns the commands that write part of `window` before command `number`,
/// except zero-fills before all others; none if a zero-fill follows one of
/// them.
std::optional<SmallVector<int32_t>>
FuseSplice::getWriters(const MatrixWindow &window, int32_t number) {
  llvm::SmallSetVector<int32_t, 8> writers;
  int32_t lastZeroing = -1;
  analysis->getVariables(window).forEach([&](int32_t variable) {
    for (const Access &access : analysis->getVariableAccesses(variable)) {
      if (!access.writes() || access.command >= number)
        continue;
      if (access.isZeroing)
        lastZeroing = std::max(lastZeroing, access.command);
      else
        writers.insert(access.command);
    }
  });
  for (int32_t writer : writers)
    if (writer < lastZeroing)
      return std::nullopt;
  return writers.takeVector();
}

/// Returns the copy that fills all of `window` before command `number`, which
/// writes `output`; none unless a single copy does.
std::optional<SpliceBlock> FuseSplice::getBlock(const MatrixWindow &window,
                                                int32_t number,
                                                const MatrixWindow &output) {
  auto writers = getWriters(window, number);
  if (!writers || writers->size() != 1)
    return std::nullopt;
  const int32_t writer = writers->front();
  auto block = getCopy(analysis->getCommand(writer), writer);
  if (!block || block->dest.row > window.row ||
      block->dest.row + block->dest.rows < window.row + window.rows ||
      !isUnchanged(block->source, writer, number) ||
      MatrixWindow::get(block->source).overlaps(output))
    return std::nullopt;
  return block;
}

/// Returns the pieces of `splice` before command `number`, which writes
/// `output`, in order of columns; omits columns that are zero.
SmallVector<Piece> FuseSplice::getPieces(Value splice, int32_t number,
                                         const MatrixWindow &output) {
  const MatrixWindow window = MatrixWindow::get(splice);
  ArrayRef<int64_t> splits =
      analysis->getMatrix(analysis->getMatrixNumber(window.matrix)).colSplits;
  SmallVector<Piece> pieces;
  for (auto [begin, end] : llvm::zip(splits, splits.drop_front())) {
    if (begin < window.col || end > window.col + window.cols)
      continue;
    MatrixWindow cell = window;
    cell.col = begin;
    cell.cols = end - begin;
    if (isZero(cell, number))
      continue;
    Piece piece = {begin, end - begin, getBlock(cell, number, output)};
    auto getCommand = [](const Piece &p) {
      return p.block ? p.block->command : -1;
    };
    if (!pieces.empty() && getCommand(pieces.back()) == getCommand(piece) &&
        pieces.back().col + pieces.back().cols == begin)
      pieces.back().cols += piece.cols;
    else
      pieces.push_back(piece);
  }
  return pieces;
}

/// Composes `rows` of the splice, which starts at row `first` of its matrix,
/// with the copy `block`: returns rows of its source.
static RowTableAttr compose(RowTableAttr rows, int64_t first,
                            const SpliceBlock &block) {
  const int64_t shift = first - block.dest.row;
  MLIRContext *context = rows.getContext();
  if (!block.rows)
    return RowTableAttr::get(context,
                             row_table::shifted(rows.getCode(), shift));
  auto progression = row_table::getProgression(rows.getCode());
  if (progression && progression->step == 1)
    return RowTableAttr::get(context,
                             row_table::slice(block.rows.getCode(),
                                              progression->start + shift,
                                              progression->count));
  SmallVector<RowRef> inner = block.rows.expand();
  SmallVector<RowRef> result;
  for (RowRef row : rows.expand())
    result.push_back(row.isNone() ? row : inner[row.row + shift]);
  return RowTableAttr::get(context, result);
}

/// Moves the deallocation of `source` after command `number` if it is earlier.
void FuseSplice::keepUntil(Value source, int32_t number) {
  Value matrix = MatrixWindow::get(source).matrix;
  int32_t end =
      analysis->getMatrixAccesses(analysis->getMatrixNumber(matrix)).deallocate;
  Operation *reader = analysis->getCommand(number);
  if (end >= 0 && analysis->getCommand(end)->isBeforeInBlock(reader))
    analysis->getCommand(end)->moveAfter(reader);
}

/// Creates a view of the columns of a block's source that a piece copies.
static Value createSourceView(OpBuilder &builder, Location loc,
                              const Piece &piece) {
  MatrixWindow window = MatrixWindow::get(piece.block->source);
  if (window.cols == piece.cols)
    return piece.block->source;
  window.col += piece.col - piece.block->dest.col;
  window.cols = piece.cols;
  return createView(builder, loc, window);
}

/// Replaces inputs by the sources of splices; returns whether any changes.
bool FuseSplice::fuse(FusedAffineOp op, int32_t number) {
  FusedInputs inputs;
  bool changed = false;
  OpBuilder builder(op);
  const MatrixWindow output = MatrixWindow::get(op.getOutput());
  for (auto [splice, attr, column] :
       llvm::zip_equal(op.getInputs(), op.getRows(), op.getColumns())) {
    SmallVector<Piece> pieces = getPieces(splice, number, output);
    if (llvm::none_of(pieces, [](const Piece &p) { return p.block; })) {
      inputs.add(splice, attr, column);
      continue;
    }
    MatrixWindow window = MatrixWindow::get(splice);
    const MatrixWindow whole = window;
    auto rows = cast<RowTableAttr>(attr);
    for (const Piece &piece : pieces) {
      const int64_t first = column + piece.col - whole.col;
      if (piece.block) {
        keepUntil(piece.block->source, number);
        inputs.add(createSourceView(builder, op.getLoc(), piece),
                   compose(rows, whole.row, *piece.block), first);
        continue;
      }
      window.col = piece.col;
      window.cols = piece.cols;
      inputs.add(createView(builder, op.getLoc(), window), rows, first);
    }
    changed = true;
    ++numFused;
  }
  if (changed)
    inputs.assignTo(op);
  return changed;
}

/// Whether a command after `number` reads part of `window`.
static bool isRead(const CommandAnalysis &analysis, const MatrixWindow &window,
                   int32_t number) {
  bool read = false;
  analysis.forEachVariable(window, [&](int32_t variable) {
    for (const Access &access : analysis.getVariableAccesses(variable))
      read |= access.reads() && access.command > number;
  });
  return read;
}

/// Removes copies that are not read any more, and matrices without other uses.
void FuseSplice::removeUnread() {
  {
    CommandAnalysis fresh(getOperation());
    SmallVector<Operation *> unread;
    for (int32_t c = 0; c < fresh.getNumCommands(); ++c) {
      auto copy = getCopy(fresh.getCommand(c), c);
      if (!copy)
        continue;
      const MatrixAccesses &accesses =
          fresh.getMatrixAccesses(fresh.getMatrixNumber(copy->dest.matrix));
      if (!accesses.isOutput && !isRead(fresh, copy->dest, c))
        unread.push_back(fresh.getCommand(c));
    }
    numCommands += unread.size();
    for (Operation *copy : unread)
      copy->erase();
  }
  CommandAnalysis fresh(getOperation());
  for (int32_t m = 0; m < fresh.getNumMatrices(); ++m) {
    const MatrixAccesses &accesses = fresh.getMatrixAccesses(m);
    if (accesses.isInput || accesses.isOutput || accesses.allocate < 0 ||
        accesses.deallocate < 0 ||
        !llvm::all_of(
            accesses.accesses, [](const Access &a) { return a.isZeroing; }))
      continue;
    for (const Access &access : accesses.accesses)
      if (access.command != accesses.allocate)
        fresh.getCommand(access.command)->erase();
    fresh.getCommand(accesses.deallocate)->erase();
    Operation *allocation = fresh.getCommand(accesses.allocate);
    for (Operation *user : llvm::make_early_inc_range(allocation->getUsers()))
      user->erase();
    allocation->erase();
  }
}

void FuseSplice::runOnCommands() {
  analysis = &getAnalysis<CommandAnalysis>();
  bool changed = false;
  for (int32_t c = 0; c < analysis->getNumCommands(); ++c)
    if (auto op = dyn_cast<FusedAffineOp>(analysis->getCommand(c)))
      changed |= fuse(op, c);
  if (changed)
    removeUnread();
}
