//===- FuseSplice.cpp - Read rows where they are, not from a splice -------===//

#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/IR/FusedCommandOps.h"
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
  RowTableAttr rows; ///< null: row by row
};

/// An input of an affine map, as it will be.
struct Input {
  Value source;
  Attribute rows;
  int64_t column;
};

struct FuseSplice : public nnet3::impl::Nnet3FuseSpliceBase<FuseSplice> {
  void runOnOperation() override;

private:
  bool fuse(FusedAffineOp op, int32_t number);
  std::optional<SmallVector<SpliceBlock>> getBlocks(Value splice,
                                                    int32_t number);
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

/// The copy that command `op` is, if it is one that keeps the values.
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

/// Command `number` may read `source` instead of what the copy `from` made of
/// it: nothing in between writes there or takes the storage away.
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

/// Whether the last that happens to all of `window` before `number` is that it
/// becomes zero.
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

/// The commands that write part of `window` before command `number`, apart from
/// zeros that come before all others; none if zeros come behind.
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

/// The copies that fill `splice` before command `number`, from the first column
/// to the last; columns that they leave out are zero. None if something else
/// writes there too.
std::optional<SmallVector<SpliceBlock>> FuseSplice::getBlocks(Value splice,
                                                              int32_t number) {
  MatrixWindow window = MatrixWindow::get(splice);
  auto writers = getWriters(window, number);
  if (!writers || writers->empty())
    return std::nullopt;
  SmallVector<SpliceBlock> blocks;
  for (int32_t writer : *writers) {
    std::optional<SpliceBlock> block =
        getCopy(analysis->getCommand(writer), writer);
    if (!block || !isUnchanged(block->source, writer, number))
      return std::nullopt;
    blocks.push_back(*block);
  }
  llvm::sort(blocks, [](const SpliceBlock &a, const SpliceBlock &b) {
    return a.dest.col < b.dest.col;
  });
  int64_t column = window.col;
  auto isGapZero = [&](int64_t end) {
    MatrixWindow gap = window;
    gap.col = column;
    gap.cols = end - column;
    return gap.cols == 0 || isZero(gap, number);
  };
  const int64_t end = window.col + window.cols;
  for (const SpliceBlock &block : blocks) {
    if (block.dest.col < column || block.dest.row > window.row ||
        block.dest.row + block.dest.rows < window.row + window.rows ||
        !isGapZero(block.dest.col))
      return std::nullopt;
    column = block.dest.col + block.dest.cols;
  }
  if (column > end || !isGapZero(end))
    return std::nullopt;
  return blocks;
}

/// The rows of a block's source that `rows` of the splice, which begins at row
/// `first` of its matrix, come from.
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

/// Frees the storage of `source` behind command `number`, if that came before.
void FuseSplice::keepUntil(Value source, int32_t number) {
  Value matrix = MatrixWindow::get(source).matrix;
  int32_t end =
      analysis->getMatrixAccesses(analysis->getMatrixNumber(matrix)).deallocate;
  Operation *reader = analysis->getCommand(number);
  if (end >= 0 && analysis->getCommand(end)->isBeforeInBlock(reader))
    analysis->getCommand(end)->moveAfter(reader);
}

/// Returns whether some input changes.
bool FuseSplice::fuse(FusedAffineOp op, int32_t number) {
  SmallVector<Input> inputs;
  bool changed = false;
  for (auto [splice, rows, column] :
       llvm::zip_equal(op.getInputs(), op.getRows(), op.getColumns())) {
    auto blocks = getBlocks(splice, number);
    MatrixWindow output = MatrixWindow::get(op.getOutput());
    if (!blocks || llvm::any_of(*blocks, [&](const SpliceBlock &block) {
          return MatrixWindow::get(block.source).overlaps(output);
        })) {
      inputs.push_back({splice, rows, column});
      continue;
    }
    MatrixWindow window = MatrixWindow::get(splice);
    for (const SpliceBlock &block : *blocks) {
      keepUntil(block.source, number);
      inputs.push_back({block.source,
                        compose(cast<RowTableAttr>(rows), window.row, block),
                        column + block.dest.col - window.col});
    }
    changed = true;
    ++numFused;
  }
  if (!changed)
    return false;
  OpBuilder builder(op);
  op.getInputsMutable().assign(
      llvm::map_to_vector(inputs, [](const Input &i) { return i.source; }));
  op.setRowsAttr(builder.getArrayAttr(
      llvm::map_to_vector(inputs, [](const Input &i) { return i.rows; })));
  op.setColumns(
      llvm::map_to_vector(inputs, [](const Input &i) { return i.column; }));
  return true;
}

/// Removes copies to matrices that nothing reads any more, and the matrices.
void FuseSplice::removeUnread() {
  CommandAnalysis fresh(getOperation());
  for (int32_t m = 0; m < fresh.getNumMatrices(); ++m) {
    const MatrixAccesses &accesses = fresh.getMatrixAccesses(m);
    if (accesses.isInput || accesses.isOutput || accesses.allocate < 0 ||
        accesses.deallocate < 0)
      continue;
    bool onlyCopies = llvm::all_of(accesses.accesses, [&](const Access &a) {
      if (a.isZeroing)
        return true;
      auto copy = getCopy(fresh.getCommand(a.command), a.command);
      return copy && copy->dest.matrix == fresh.getMatrix(m).matrix &&
             MatrixWindow::get(copy->source).matrix !=
                 fresh.getMatrix(m).matrix;
    });
    if (!onlyCopies)
      continue;
    for (const Access &access : accesses.accesses)
      if (access.command != accesses.allocate) {
        fresh.getCommand(access.command)->erase();
        ++numCommands;
      }
    fresh.getCommand(accesses.deallocate)->erase();
    Operation *allocation = fresh.getCommand(accesses.allocate);
    for (Operation *user : llvm::make_early_inc_range(allocation->getUsers()))
      user->erase();
    allocation->erase();
  }
}

void FuseSplice::runOnOperation() {
  analysis = &getAnalysis<CommandAnalysis>();
  bool changed = false;
  for (int32_t c = 0; c < analysis->getNumCommands(); ++c)
    if (auto op = dyn_cast<FusedAffineOp>(analysis->getCommand(c)))
      changed |= fuse(op, c);
  if (changed)
    removeUnread();
}
