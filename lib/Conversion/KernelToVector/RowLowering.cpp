//===- RowLowering.cpp - The code of kernel.map_rows ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Conversion/KernelToVector/RowLowering.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

LogicalResult RowLowering::emitRow(Value row, Value part) {
  setRow(row, part);
  RowCode::emit(op.getBody().front());
  return success(!hasFailed);
}

void RowLowering::emit(Operation *inner) {
  if (hasFailed)
    return;
  llvm::TypeSwitch<Operation *>(inner)
      .Case<ForColumnsOp, ReduceColumnsOp, DotColumnsOp, SumRangeOp, SumRowsOp,
            kernel::SoftmaxOp>([&](auto known) { emit(known); })
      .Default([&](Operation *) { RowCode::emit(inner); });
}

void RowLowering::emit(kernel::SoftmaxOp numbers) {
  mapping.map(
      numbers.getResults(),
      softmax(llvm::map_to_vector(numbers.getValues(),
                                  [&](Value value) { return lookup(value); })));
}

Value RowLowering::emitColumn(Region &region, Value column) {
  Block &block = region.front();
  mapping.map(block.getArgument(0), column);
  steps[block.getArgument(0)] = 1;
  emit(block);
  return getYielded(block).front();
}

/// Largest number of accumulators of a sum over rows in a loop over columns.
static unsigned countSums(ForColumnsOp loop) {
  unsigned most = 0;
  for (auto sum : loop.getBody().getOps<SumRowsOp>())
    most = std::max(most, sum.getNumResults());
  return most;
}

void RowLowering::emit(ForColumnsOp loop) {
  Block &block = loop.getBody().front();
  ArrayRef<int64_t> sizes = loop.getSizes();
  ColumnLoop columns;
  columns.numSums = sizes.size() == 1 ? countSums(loop) : 0;
  columns.canScale =
      hasScalableVectors() && canScale(block, block.getArguments().back());
  steps[block.getArguments().back()] = 1;
  if (sizes.size() == 1)
    return forEach(
        sizes[0],
        [&](Value column) {
          mapping.map(block.getArgument(0), column);
          emit(block);
        },
        columns);
  forEachOf(
      sizes[0], sizes[1],
      [&](Value outer, Value column) {
        mapping.map(block.getArgument(0), outer);
        mapping.map(block.getArgument(1), column);
        emit(block);
      },
      columns);
}

void RowLowering::emit(ReduceColumnsOp reduction) {
  auto body = [&](Value column) {
    return emitColumn(reduction.getBody(), column);
  };
  const int64_t size = reduction.getSize();
  mapping.map(reduction.getResult(), reduction.getKind() == Reduction::Add
                                         ? sum(size, body)
                                         : max(size, body));
}

void RowLowering::emitOperands(Operation *inner,
                               DenseSet<Operation *> &emitted) {
  for (Value operand : inner->getOperands()) {
    Operation *from = operand.getDefiningOp();
    if (!from || from->getBlock() != inner->getBlock() ||
        !emitted.insert(from).second)
      continue;
    emitOperands(from, emitted);
    emit(from);
  }
}

/// Emits each dot product separately, without the operations that only the
/// others use.
void RowLowering::emit(DotColumnsOp products) {
  Block &block = products.getBody().front();
  Operation *yield = block.getTerminator();
  steps[block.getArgument(0)] = 1;
  auto results = dots(products.getNumResults(), products.getSize(),
                      [&](unsigned number, Value column) {
                        mapping.map(block.getArgument(0), column);
                        DenseSet<Operation *> emitted;
                        auto get = [&](unsigned operand) {
                          Value value = yield->getOperand(operand);
                          Operation *from = value.getDefiningOp();
                          if (from && from->getBlock() == &block &&
                              emitted.insert(from).second) {
                            emitOperands(from, emitted);
                            emit(from);
                          }
                          return inLanes(lookup(value));
                        };
                        Value first = get(2 * number);
                        return std::pair(first, get(2 * number + 1));
                      });
  mapping.map(products.getResults(), results);
}

void RowLowering::emit(SumRangeOp range) {
  if (getStep(range.getBegin()) || getStep(range.getEnd()))
    fail(range, "expects a range that is known for each column");
  Value sum = sumRange(
      lookup(range.getBegin()), lookup(range.getEnd()), range.getTypical(),
      [&](Value column) { return emitColumn(range.getBody(), column); });
  mapping.map(range.getResult(), sum);
}

Value RowLowering::addColumns(Value begin, Value end, Value sums,
                              ColumnBody body) {
  auto loop = scf::ForOp::create(
      b, begin, end, arith::ConstantIndexOp::create(b, lanes.getCount()), sums,
      [&](OpBuilder &, Location, Value column, ValueRange before) {
        Value sum = arith::AddFOp::create(b, before[0], widen(body(column)));
        scf::YieldOp::create(b, sum);
      });
  return loop.getResult(0);
}

Value RowLowering::sumRange(Value begin, Value end, int64_t, ColumnBody body) {
  Value first = widen(body(begin));
  return arith::TruncFOp::create(
      b, b.getF32Type(), addColumns(addIndex(b, begin, 1), end, first, body));
}
