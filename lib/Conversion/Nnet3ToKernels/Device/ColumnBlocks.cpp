//===- ColumnBlocks.cpp - Equal commands on blocks of columns -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A convolution is one fused command for each output height. Equal commands at
// equal distances become strided batches of one matmul.
//
//===----------------------------------------------------------------------===//

#include "DeviceAffine.h"
#include "RowBatches.h"

#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"

#include <limits>

using namespace mlir;
using namespace mlir::nnet3;

static bool haveSameLayout(Value a, Value b) {
  return numRows(a) == numRows(b) && numCols(a) == numCols(b) &&
         getRowStride(a) == getRowStride(b);
}

/// Whether `next` is equal to `first` except for the columns.
static bool doTheSame(FusedAffineOp first, FusedAffineOp next) {
  return next && first.getComponent() == next.getComponent() &&
         first.getFoldedAttr() == next.getFoldedAttr() &&
         first.getRows() == next.getRows() &&
         first.getColumns() == next.getColumns() &&
         first.getBias() == next.getBias() &&
         first.getEpilogueSteps() == next.getEpilogueSteps() &&
         !next.getInit() && !next.getResidual() &&
         haveSameLayout(first.getOutput(), next.getOutput()) &&
         llvm::all_of_zip(first.getInputs(), next.getInputs(), haveSameLayout);
}

/// Whether the columns of `next` are those of block `blocks.count`.
bool DeviceAffineConverter::continuesBlocks(FusedAffineOp first,
                                            FusedAffineOp next,
                                            const Blocks &blocks) const {
  auto isNext = [&](Value from, Value to, int64_t distance) {
    return context.arena.getOffset(to) - context.arena.getOffset(from) ==
           blocks.count * distance;
  };
  return doTheSame(first, next) &&
         isNext(first.getOutput(), next.getOutput(), blocks.output) &&
         llvm::all_of(llvm::zip_equal(first.getInputs(), next.getInputs(),
                                      blocks.inputs),
                      [&](auto each) { return std::apply(isNext, each); });
}

/// Whether the inputs do not overlap the memory from the first to the last
/// output.
bool DeviceAffineConverter::areApart(FusedAffineOp first,
                                     FusedAffineOp last) const {
  auto end = [&](Value value) {
    return context.arena.getOffset(value) +
           (numRows(value) - 1) * getRowStride(value) + numCols(value);
  };
  return llvm::all_of_zip(
      first.getInputs(), last.getInputs(), [&](Value from, Value to) {
        return end(to) <= context.arena.getOffset(first.getOutput()) ||
               end(last.getOutput()) <= context.arena.getOffset(from);
      });
}

/// Strided batches of a BLAS library need equal distances; the epilogue needs
/// adjacent columns.
DeviceAffineConverter::Blocks
DeviceAffineConverter::getBlocks(FusedAffineOp op) {
  Blocks blocks;
  auto next = dyn_cast_or_null<FusedAffineOp>(op->getNextNode());
  if (op.getInit() || op.getResidual() || !doTheSame(op, next))
    return blocks;
  for (Attribute rows : op.getRows())
    if (auto batches = getBatches(cast<RowTableAttr>(rows));
        !batches || batches->batches > 1)
      return blocks;
  for (auto [from, to] : llvm::zip_equal(op.getInputs(), next.getInputs()))
    blocks.inputs.push_back(context.arena.getOffset(to) -
                            context.arena.getOffset(from));
  blocks.output = numCols(op.getOutput());
  if (llvm::any_of(blocks.inputs, [](int64_t n) { return n < 0; }))
    return blocks;
  const int64_t most = numRows(op.getOutput()) == 1
                           ? std::numeric_limits<int64_t>::max()
                           : getRowStride(op.getOutput()) / blocks.output;
  while (blocks.count < most && next && continuesBlocks(op, next, blocks) &&
         areApart(op, next)) {
    converted.insert(next);
    ++blocks.count;
    next = dyn_cast_or_null<FusedAffineOp>(next->getNextNode());
  }
  return blocks;
}
