//===- RowSums.cpp - Sums over rows in lanes ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Conversion/KernelToVector/RowLowering.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

/// So many rows are added up in what they are computed in, then in f64: sums of
/// f32 take half as long, and their rounding stays within the group.
static constexpr int64_t kGroup = 4;

//===----------------------------------------------------------------------===//
// Sums over rows
//===----------------------------------------------------------------------===//

/// Adds what `terms` gives for `size` numbers at a time to `sums`.
static SmallVector<Value>
addGroups(ImplicitLocOpBuilder &b, Value begin, Value end, int64_t size,
          ArrayRef<Value> sums, function_ref<SmallVector<Value>(Value)> terms,
          function_ref<Value(Value)> widen) {
  auto add = [&](Value x, Value y) -> Value {
    return arith::AddFOp::create(b, x, y);
  };
  auto loop = scf::ForOp::create(
      b, begin, end, arith::ConstantIndexOp::create(b, size), sums,
      [&](OpBuilder &, Location, Value first, ValueRange before) {
        SmallVector<SmallVector<Value>> parts;
        for (int64_t i = 0; i < size; ++i)
          parts.push_back(terms(addIndex(b, first, i)));
        for (; parts.size() > 1; parts.resize(parts.size() / 2))
          for (size_t i = 0; i < parts.size() / 2; ++i)
            for (auto [part, a, b] :
                 llvm::zip_equal(parts[i], parts[2 * i], parts[2 * i + 1]))
              part = add(a, b);
        for (auto [value, total] : llvm::zip_equal(parts.front(), before))
          value = add(total, widen(value));
        scf::YieldOp::create(b, parts.front());
      });
  return llvm::to_vector_of<Value>(loop.getResults());
}

SmallVector<Value>
RowCode::sumOver(Value begin, Value end, unsigned number,
                 function_ref<SmallVector<Value>(Value)> terms) {
  SmallVector<Value> sums(number, widen(splat(0)));
  auto asWide = [&](Value value) { return widen(value); };
  Value count = arith::SubIOp::create(b, end, begin);
  Value whole = arith::SubIOp::create(b, end, remIndex(b, count, kGroup));
  sums = addGroups(b, begin, whole, kGroup, sums, terms, asWide);
  return addGroups(b, whole, end, 1, sums, terms, asWide);
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
                   sum.getNumResults(), terms);
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
          b, loadFrom(b, sum.getType(), output.getMemory(), place), sum);
    storeTo(b, total, output.getMemory(), place);
  }
}
