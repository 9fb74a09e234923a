//===- RowSums.cpp - Sums over rows in lanes ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Conversion/KernelToVector/RowLowering.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

/// Rows that are added in the precision of their terms before the sum is
/// widened to f64: f32 additions take half as long, and rounding errors stay
/// within a group.
static constexpr int64_t kGroup = 4;

//===----------------------------------------------------------------------===//
// Sums over rows
//===----------------------------------------------------------------------===//

/// Adds `parts` pairwise, as a tree.
static SmallVector<Value> addHalves(ImplicitLocOpBuilder &b,
                                    SmallVector<SmallVector<Value>> parts) {
  for (; parts.size() > 1; parts.resize(parts.size() / 2))
    for (size_t i = 0; i < parts.size() / 2; ++i)
      for (auto [sum, x, y] :
           llvm::zip_equal(parts[i], parts[2 * i], parts[2 * i + 1]))
        sum = arith::AddFOp::create(b, x, y);
  return parts.front();
}

/// Groups are aligned to the last row, and the first group is padded with zeros
/// at the front: so a sum does not change if leading rows are zeros instead of
/// absent, as before the start of a stream.
SmallVector<Value>
RowCode::sumOver(Value begin, Value end, TypeRange types,
                 function_ref<SmallVector<Value>(Value)> terms) {
  auto zeros = llvm::map_to_vector(types, [&](Type type) -> Value {
    return arith::ConstantOp::create(b, b.getZeroAttr(inLanes(type)));
  });
  Value rest = remIndex(b, arith::SubIOp::create(b, end, begin), kGroup);
  Value first = arith::AddIOp::create(b, begin, rest);
  SmallVector<SmallVector<Value>> parts = {zeros};
  for (int64_t back = kGroup - 1; back > 0; --back) {
    Value isThere =
        arith::CmpIOp::create(b, arith::CmpIPredicate::uge, rest,
                              arith::ConstantIndexOp::create(b, back));
    auto yield = [&](ValueRange values) { scf::YieldOp::create(b, values); };
    parts.push_back(
        scf::IfOp::create(
            b, isThere,
            [&](OpBuilder &, Location) {
              yield(terms(arith::SubIOp::create(
                  b, first, arith::ConstantIndexOp::create(b, back))));
            },
            [&](OpBuilder &, Location) { yield(zeros); })
            .getResults());
  }
  auto widenAll = [&](ArrayRef<Value> values) {
    return llvm::map_to_vector(values,
                               [&](Value value) { return widen(value); });
  };
  auto loop = scf::ForOp::create(
      b, first, end, arith::ConstantIndexOp::create(b, kGroup),
      widenAll(addHalves(b, parts)),
      [&](OpBuilder &, Location, Value row, ValueRange before) {
        SmallVector<SmallVector<Value>> group;
        for (int64_t i = 0; i < kGroup; ++i)
          group.push_back(terms(addIndex(b, row, i)));
        SmallVector<Value> sums = widenAll(addHalves(b, group));
        for (auto [sum, total] : llvm::zip_equal(sums, before))
          sum = arith::AddFOp::create(b, total, sum);
        scf::YieldOp::create(b, sums);
      });
  return llvm::to_vector_of<Value>(loop.getResults());
}

void RowLowering::emit(SumRowsOp sum) {
  const Row all = rows.find(sum.getRows())->second;
  Block &block = sum.getBody().front();
  auto terms = [&](Value row) {
    rows[block.getArgument(0)] = {
        all.memory, addIndex(b, all.offset, mulIndex(b, row, all.stride)),
        /*stride=*/0, /*numRows=*/Value()};
    RowCode::emit(block);
    return getYielded(block);
  };
  SmallVector<Value> sums;
  if (sum.getRows().getType().getDimSize(0) == 1)
    sums = llvm::map_to_vector(terms(arith::ConstantIndexOp::create(b, 0)),
                               [&](Value value) { return widen(value); });
  else
    sums = sumOver(arith::ConstantIndexOp::create(b, 0), all.numRows,
                   block.getTerminator()->getOperandTypes(), terms);
  mapping.map(sum.getResults(), sums);
}

//===----------------------------------------------------------------------===//
// kernel.reduce_rows
//===----------------------------------------------------------------------===//

LogicalResult SumCode::initialize() {
  for (Value output : op.getOutputs()) {
    auto found = RowAddresses::get(b, op, output);
    if (failed(found))
      return failure();
    outputs.push_back(*found);
  }
  return RowCode::initialize(op.getInputs());
}

std::pair<Value, Value> SumCode::getRows(Value slice) {
  const int64_t rows = op.getNumRows(), blocks = op.getBlocks();
  const int64_t length = llvm::divideCeil(rows, op.getNumSlices());
  if (op.getNumSlices() == 1)
    return {arith::ConstantIndexOp::create(b, 0),
            arith::ConstantIndexOp::create(b, rows * blocks)};
  Value last = arith::ConstantIndexOp::create(b, rows * blocks);
  Value begin =
      arith::MinSIOp::create(b, mulIndex(b, slice, length * blocks), last);
  return {begin,
          arith::MinSIOp::create(b, addIndex(b, begin, length * blocks), last)};
}

SmallVector<Value> SumCode::emitTerms(Value row, Value column) {
  const int64_t blocks = op.getBlocks();
  if (blocks > 1) {
    column = addIndex(
        b, column, mulIndex(b, remIndex(b, row, blocks), op.getNumColumns()));
    row = divIndex(b, row, blocks);
  }
  setRow(row, column);
  Block &block = op.getBody().front();
  steps[block.getArgument(0)] = 1;
  emit(block);
  return getYielded(block);
}

void SumCode::store(ValueRange sums, Value slice, Value column) {
  for (auto [output, sum] : llvm::zip_equal(outputs, sums)) {
    Value place = addIndex(b, output.getRow(b, slice), column), total = sum;
    if (op.getAccumulate())
      total = arith::AddFOp::create(
          b, lanes.load(b, sum.getType(), output.getMemory(), place), sum);
    lanes.store(b, total, output.getMemory(), place);
  }
}
