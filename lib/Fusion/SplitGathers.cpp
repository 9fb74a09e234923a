//===- SplitGathers.cpp - Split gathers into copies where rows are written ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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

/// Rows of one source that are copied to the output from row `first` on.
struct RowBlock {
  MatrixWindow source;
  int64_t first;
  int32_t command; ///< last command that writes them
};

struct SplitGathers : public nnet3::impl::Nnet3SplitGathersBase<SplitGathers> {
  using Base::Base;
  void runOnCommands() override;

private:
  const MatrixAccesses &getAccesses(Value matrix) const {
    return analysis->getMatrixAccesses(analysis->getMatrixNumber(matrix));
  }
  FusedAffineOp findMatmul(CopyRowsMultiOp gather, int32_t number);
  SmallVector<RowBlock> getBlocks(CopyRowsMultiOp gather, int32_t number);
  bool isFree(const MatrixWindow &output, int32_t first, int32_t number);
  bool isLastReader(ArrayRef<RowBlock> blocks, int32_t number);
  OpBuilder getPlace(const RowBlock &block, Operation *allocation);
  void split(CopyRowsMultiOp gather, int32_t number);
  void multiply(FusedAffineOp op, CopyRowsMultiOp gather,
                ArrayRef<RowBlock> blocks);
  void copy(CopyRowsMultiOp gather, ArrayRef<RowBlock> blocks);

  CommandAnalysis *analysis = nullptr;
  PassCount numMultiplied{"matmuls split"};
  PassCount numCopied{"gathers replaced by copies"};
};

} // namespace

/// Whether `op` is only a matmul of all rows of a single input, in order.
static bool isMatmulOfOne(FusedAffineOp op) {
  if (op.getInputs().size() != 1 || op.getInit() || op.getResidual() ||
      !op.getEpilogueSteps().empty() || op.getFoldedAttr())
    return false;
  auto rows =
      row_table::getProgression(cast<RowTableAttr>(op.getRows()[0]).getCode());
  return rows && rows->start == 0 && rows->step == 1;
}

/// Returns the matmul of the result of `gather`, command `number`, if that is
/// its only reader.
FusedAffineOp SplitGathers::findMatmul(CopyRowsMultiOp gather, int32_t number) {
  const MatrixAccesses &matrix = getAccesses(gather.getDest());
  if (matrix.isOutput || matrix.accesses.size() != 2 ||
      matrix.deallocate < number ||
      !llvm::hasNItems(gather.getDest().getUses(), 3))
    return {};
  auto op =
      dyn_cast<FusedAffineOp>(analysis->getCommand(matrix.accesses[1].command));
  return op && isMatmulOfOne(op) && op.getInputs()[0] == gather.getDest()
             ? op
             : FusedAffineOp();
}

/// Returns the blocks of rows that `gather`, command `number`, copies; none
/// unless it copies several blocks of consecutive rows, at most one per source.
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
    // The result of an earlier split is written by several commands.
    if (block.command < 0 || !analysis->getCommand(block.command))
      return {};
    blocks.push_back(block);
  }
  return blocks;
}

/// Whether no command between `first` and `number` accesses `output`.
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

/// Whether most sources of `blocks` are kept alive only for command `number`.
bool SplitGathers::isLastReader(ArrayRef<RowBlock> blocks, int32_t number) {
  const size_t kept = llvm::count_if(blocks, [&](const RowBlock &block) {
    const MatrixAccesses &source = getAccesses(block.source.matrix);
    return !source.isInput && !source.isOutput &&
           source.accesses.back().command == number;
  });
  return 2 * kept > blocks.size();
}

/// Returns a builder after the command that writes `block`; moves `allocation`
/// before that command if necessary.
OpBuilder SplitGathers::getPlace(const RowBlock &block, Operation *allocation) {
  Operation *writer = analysis->getCommand(block.command);
  if (writer->isBeforeInBlock(allocation))
    allocation->moveBefore(writer);
  OpBuilder builder(allocation->getContext());
  builder.setInsertionPointAfter(writer);
  return builder;
}

/// Returns the rows of `window` that correspond to `block`.
static MatrixWindow getRows(MatrixWindow window, const RowBlock &block) {
  window.row += block.first;
  window.rows = block.source.rows;
  return window;
}

/// Moves the matmul of each block to the command that writes the block.
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

/// Copies each block right after the command that writes it.
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

/// Splits `gather`, command `number`, if that saves memory or traffic.
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
  FusedAffineOp product = findMatmul(gather, number);
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
