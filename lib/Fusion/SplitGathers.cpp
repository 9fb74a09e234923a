//===- SplitGathers.cpp - Gather rows where they are computed
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//---------------===//

#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/IR/FusedCommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"
#include "nnet3/Dialect/Nnet3/IR/RowTableAlgebra.h"
#include "nnet3/Fusion/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3SPLITGATHERS
#include "nnet3/Fusion/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {

/// Rows of one source, which become rows of the output from `first` on.
struct RowBlock {
  MatrixWindow source;
  int64_t first;
  int32_t command; ///< the last that writes them
};

struct SplitGathers : public nnet3::impl::Nnet3SplitGathersBase<SplitGathers> {
  using Base::Base;
  void runOnCommands() override;

private:
  const MatrixAccesses &getAccesses(Value matrix) const {
    return analysis->getMatrixAccesses(analysis->getMatrixNumber(matrix));
  }
  FusedAffineOp findProduct(CopyRowsMultiOp gather, int32_t number);
  SmallVector<RowBlock> getBlocks(CopyRowsMultiOp gather, int32_t number);
  bool isFree(const MatrixWindow &output, int32_t first, int32_t number);
  bool isLastReader(ArrayRef<RowBlock> blocks, int32_t number);
  OpBuilder getPlace(const RowBlock &block, Operation *allocation);
  void split(CopyRowsMultiOp gather, int32_t number);
  void multiply(FusedAffineOp op, CopyRowsMultiOp gather,
                ArrayRef<RowBlock> blocks);
  void copy(CopyRowsMultiOp gather, ArrayRef<RowBlock> blocks);

  CommandAnalysis *analysis = nullptr;
  PassCount numMultiplied{"products split"};
  PassCount numCopied{"gathers made copies"};
};

} // namespace

/// Whether `op` is a product of all rows of its only input, one by one.
static bool isProductOfOne(FusedAffineOp op) {
  if (op.getInputs().size() != 1 || op.getInit() || op.getResidual() ||
      !op.getEpilogueSteps().empty() || op.getFoldedAttr())
    return false;
  auto rows =
      row_table::getProgression(cast<RowTableAttr>(op.getRows()[0]).getCode());
  return rows && rows->start == 0 && rows->step == 1;
}

/// The product of what `gather`, command `number`, puts together, if nothing
/// else reads that.
FusedAffineOp SplitGathers::findProduct(CopyRowsMultiOp gather,
                                        int32_t number) {
  const MatrixAccesses &matrix = getAccesses(gather.getDest());
  if (matrix.isOutput || matrix.accesses.size() != 2 ||
      matrix.deallocate < number ||
      !llvm::hasNItems(gather.getDest().getUses(), 3))
    return {};
  auto op =
      dyn_cast<FusedAffineOp>(analysis->getCommand(matrix.accesses[1].command));
  return op && isProductOfOne(op) && op.getInputs()[0] == gather.getDest()
             ? op
             : FusedAffineOp();
}

/// What `gather`, command `number`, puts together; none if that is no list of
/// several blocks of neighbouring rows, at most one of each source.
SmallVector<RowBlock> SplitGathers::getBlocks(CopyRowsMultiOp gather,
                                              int32_t number) {
  ArrayRef<int64_t> code = gather.getRows().getCode();
  auto runs = row_table::getRuns(code, gather.getSources().size());
  if (!runs || runs->size() < 2 || !gather.getAlpha().isExactlyValue(1.0))
    return {};
  SmallVector<RowBlock> blocks;
  for (const row_table::Run &run : *runs) {
    auto rows =
        row_table::getProgression(row_table::slice(code, run.begin, run.count));
    if (!rows || rows->step != 1)
      return {};
    RowBlock block = {MatrixWindow::get(gather.getSources()[run.source]),
                      run.begin, -1};
    block.source.row += rows->start;
    block.source.rows = run.count;
    analysis->forEachVariable(block.source, [&](int32_t variable) {
      for (const Access &access : analysis->getVariableAccesses(variable))
        if (access.writes() && access.command < number)
          block.command = std::max(block.command, access.command);
    });
    // What was split itself is written by several commands.
    if (block.command < 0 || !analysis->getCommand(block.command))
      return {};
    blocks.push_back(block);
  }
  return blocks;
}

/// Whether nothing between the commands `first` and `number` has to do with
/// `output`.
bool SplitGathers::isFree(const MatrixWindow &output, int32_t first,
                          int32_t number) {
  const MatrixAccesses &matrix = getAccesses(output.matrix);
  if (matrix.isInput || matrix.allocate < 0)
    return false;
  bool free = true;
  analysis->forEachVariable(output, [&](int32_t variable) {
    for (const Access &access : analysis->getVariableAccesses(variable))
      free &= access.command <= first || access.command >= number ||
              access.command == matrix.allocate;
  });
  return free;
}

/// Whether most of what `blocks` are part of is kept for command `number`
/// alone.
bool SplitGathers::isLastReader(ArrayRef<RowBlock> blocks, int32_t number) {
  const size_t kept = llvm::count_if(blocks, [&](const RowBlock &block) {
    const MatrixAccesses &source = getAccesses(block.source.matrix);
    return !source.isInput && !source.isOutput &&
           source.accesses.back().command == number;
  });
  return 2 * kept > blocks.size();
}

/// Behind the command that writes `block`; `allocation` comes before.
OpBuilder SplitGathers::getPlace(const RowBlock &block, Operation *allocation) {
  Operation *writer = analysis->getCommand(block.command);
  if (writer->isBeforeInBlock(allocation))
    allocation->moveBefore(writer);
  OpBuilder builder(allocation->getContext());
  builder.setInsertionPointAfter(writer);
  return builder;
}

/// The rows of `window` that `block` becomes.
static MatrixWindow getRows(MatrixWindow window, const RowBlock &block) {
  window.row += block.first;
  window.rows = block.source.rows;
  return window;
}

/// Multiplies each block behind the command that writes it.
void SplitGathers::multiply(FusedAffineOp op, CopyRowsMultiOp gather,
                            ArrayRef<RowBlock> blocks) {
  const MatrixWindow output = MatrixWindow::get(op.getOutput());
  for (const RowBlock &block : blocks) {
    OpBuilder builder = getPlace(block, output.matrix.getDefiningOp());
    Location loc = op.getLoc();
    Value source = createView(builder, loc, block.source);
    Value dest = createView(builder, loc, getRows(output, block));
    row_table::Code code;
    row_table::appendLoop(code, block.source.rows, 1, {row_table::kRow, 0, 0});
    FusedAffineOp::create(
        builder, loc, op.getComponent(), source,
        builder.getArrayAttr(RowTableAttr::get(op.getContext(), code)),
        op.getColumnsAttr(), op.getBiasAttr(), /*init=*/Value(),
        /*epilogue=*/ArrayAttr(), /*residual=*/Value(),
        builder.getF32FloatAttr(1), dest, /*folded=*/SymbolRefAttr());
  }
  Value gathered = gather.getDest();
  op.erase();
  for (Operation *user : llvm::make_early_inc_range(gathered.getUsers()))
    user->erase();
  gathered.getDefiningOp()->erase();
  ++numMultiplied;
}

/// Copies each block behind the command that writes it.
void SplitGathers::copy(CopyRowsMultiOp gather, ArrayRef<RowBlock> blocks) {
  const MatrixWindow dest = MatrixWindow::get(gather.getDest());
  for (const RowBlock &block : blocks) {
    OpBuilder builder = getPlace(block, dest.matrix.getDefiningOp());
    Value from = createView(builder, gather.getLoc(), block.source);
    Value to = createView(builder, gather.getLoc(), getRows(dest, block));
    MatrixCopyOp::create(builder, gather.getLoc(), from, to,
                         builder.getF32FloatAttr(1));
  }
  gather.erase();
  ++numCopied;
}

/// Splits `gather`, command `number`, where that saves something.
void SplitGathers::split(CopyRowsMultiOp gather, int32_t number) {
  const MatrixAccesses &matrix = getAccesses(gather.getDest());
  SmallVector<RowBlock> blocks = getBlocks(gather, number);
  if (blocks.empty() || matrix.accesses.front().command != number ||
      !gather.getDest().getDefiningOp<AllocMatrixUndefinedOp>())
    return;
  int32_t first = number;
  int64_t fewestRows = numRows(gather.getDest()), mostRows = 0;
  for (const RowBlock &block : blocks) {
    first = std::min(first, block.command);
    fewestRows = std::min(fewestRows, block.source.rows);
    mostRows = std::max(mostRows, block.source.rows);
  }
  FusedAffineOp product = findProduct(gather, number);
  const int32_t next = product ? matrix.accesses[1].command : -1;
  if (product && fewestRows >= minRows &&
      isFree(MatrixWindow::get(product.getOutput()), first, next)) {
    const int32_t end = matrix.deallocate;
    multiply(product, gather, blocks);
    for (int32_t gone : {number, next, end})
      analysis->eraseCommand(gone);
  } else if (mostRows <= maxCopiedRows && isLastReader(blocks, number)) {
    copy(gather, blocks);
    analysis->eraseCommand(number);
  }
}

void SplitGathers::runOnCommands() {
  analysis = &getAnalysis<CommandAnalysis>();
  for (int32_t c = 0; c < analysis->getNumCommands(); ++c)
    if (auto op = dyn_cast_or_null<CopyRowsMultiOp>(analysis->getCommand(c)))
      split(op, c);
}
