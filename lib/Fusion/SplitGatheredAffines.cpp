//===- SplitGatheredAffines.cpp - Multiply rows before they are gathered --===//

#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/IR/FusedCommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"
#include "nnet3/Dialect/Nnet3/IR/RowTableAlgebra.h"
#include "nnet3/Fusion/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3SPLITGATHEREDAFFINES
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

struct SplitGatheredAffines
    : public nnet3::impl::Nnet3SplitGatheredAffinesBase<SplitGatheredAffines> {
  using Base::Base;
  void runOnOperation() override;

private:
  const MatrixAccesses &getAccesses(Value matrix) const {
    return analysis->getMatrixAccesses(analysis->getMatrixNumber(matrix));
  }
  CopyRowsMultiOp findGather(FusedAffineOp op, int32_t number);
  SmallVector<RowBlock> getBlocks(CopyRowsMultiOp gather, int32_t number);
  bool isFree(const MatrixWindow &output, int32_t first, int32_t number);
  void split(FusedAffineOp op, CopyRowsMultiOp gather,
             ArrayRef<RowBlock> blocks);

  CommandAnalysis *analysis = nullptr;
  PassCount numSplit{"products split"};
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

/// The command that puts together what `op`, command `number`, multiplies, if
/// nothing else reads or writes that.
CopyRowsMultiOp SplitGatheredAffines::findGather(FusedAffineOp op,
                                                 int32_t number) {
  if (!isProductOfOne(op))
    return {};
  MatrixWindow input = MatrixWindow::get(op.getInputs()[0]);
  const MatrixAccesses &matrix = getAccesses(input.matrix);
  if (!input.isWhole() || matrix.isInput || matrix.isOutput ||
      matrix.deallocate < number || matrix.accesses.size() != 2 ||
      matrix.accesses[1].command != number)
    return {};
  auto gather = dyn_cast<CopyRowsMultiOp>(
      analysis->getCommand(matrix.accesses[0].command));
  bool isGathered = gather && gather.getAlpha().isExactlyValue(1.0) &&
                    gather.getDest() == op.getInputs()[0] &&
                    input.matrix.getDefiningOp<AllocMatrixUndefinedOp>() &&
                    llvm::hasNItems(input.matrix.getUses(), 3);
  return isGathered ? gather : CopyRowsMultiOp();
}

/// What `gather`, command `number`, puts together, if there are several blocks
/// and none has few rows; else none.
SmallVector<RowBlock> SplitGatheredAffines::getBlocks(CopyRowsMultiOp gather,
                                                      int32_t number) {
  ArrayRef<int64_t> code = gather.getRows().getCode();
  const int64_t numRows = gather.getRows().size();
  auto runs = row_table::getRuns(code, numRows / minRows);
  if (!runs || runs->size() < 2)
    return {};
  SmallVector<RowBlock> blocks;
  for (const row_table::Run &run : *runs) {
    auto rows =
        row_table::getProgression(row_table::slice(code, run.begin, run.count));
    if (run.count < minRows || !rows || rows->step != 1)
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
bool SplitGatheredAffines::isFree(const MatrixWindow &output, int32_t first,
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

/// Multiplies each block behind the command that writes it.
void SplitGatheredAffines::split(FusedAffineOp op, CopyRowsMultiOp gather,
                                 ArrayRef<RowBlock> blocks) {
  MatrixWindow output = MatrixWindow::get(op.getOutput());
  const int64_t firstRow = output.row;
  Operation *allocation = output.matrix.getDefiningOp();
  for (const RowBlock &block : blocks) {
    Operation *writer = analysis->getCommand(block.command);
    if (writer->isBeforeInBlock(allocation))
      allocation->moveBefore(writer);
    OpBuilder builder(op.getContext());
    builder.setInsertionPointAfter(writer);
    Location loc = op.getLoc();
    output.row = firstRow + block.first;
    output.rows = block.source.rows;
    Value source = createView(builder, loc, block.source);
    Value dest = createView(builder, loc, output);
    row_table::Code code;
    row_table::appendLoop(code, output.rows, 1, {row_table::kRow, 0, 0});
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
  ++numSplit;
}

void SplitGatheredAffines::runOnOperation() {
  analysis = &getAnalysis<CommandAnalysis>();
  for (int32_t c = 0; c < analysis->getNumCommands(); ++c) {
    auto op = dyn_cast_or_null<FusedAffineOp>(analysis->getCommand(c));
    CopyRowsMultiOp gather = op ? findGather(op, c) : CopyRowsMultiOp();
    if (!gather)
      continue;
    const int32_t number = analysis->getNumber(gather);
    SmallVector<RowBlock> blocks = getBlocks(gather, number);
    if (blocks.empty())
      continue;
    int32_t first = c;
    for (const RowBlock &block : blocks)
      first = std::min(first, block.command);
    if (!isFree(MatrixWindow::get(op.getOutput()), first, c))
      continue;
    const int32_t end = getAccesses(gather.getDest()).deallocate;
    split(op, gather, blocks);
    for (int32_t gone : {number, c, end})
      analysis->eraseCommand(gone);
  }
}
