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
addGroups(VectorEmitter &e, Value begin, Value end, int64_t size,
          ArrayRef<Value> sums, function_ref<SmallVector<Value>(Value)> terms,
          function_ref<Value(Value)> widen) {
  OpBuilder &builder = e.getBuilder();
  auto add = [&](Value a, Value b) -> Value {
    return arith::AddFOp::create(builder, e.getLoc(), a, b);
  };
  return llvm::to_vector_of<Value>(
      e.loop(begin, end, size, sums, [&](Value first, ValueRange before) {
        SmallVector<SmallVector<Value>> parts;
        for (int64_t i = 0; i < size; ++i)
          parts.push_back(terms(e.add(first, i)));
        for (; parts.size() > 1; parts.resize(parts.size() / 2))
          for (size_t i = 0; i < parts.size() / 2; ++i)
            for (auto [part, a, b] :
                 llvm::zip_equal(parts[i], parts[2 * i], parts[2 * i + 1]))
              part = add(a, b);
        for (auto [value, total] : llvm::zip_equal(parts.front(), before))
          value = add(total, widen(value));
        return parts.front();
      }));
}

SmallVector<Value>
RowCode::sumOver(Value begin, Value end, unsigned number,
                 function_ref<SmallVector<Value>(Value)> terms) {
  SmallVector<Value> sums(number, widen(e.splat(lanes, 0)));
  auto asWide = [&](Value value) { return widen(value); };
  Value count = arith::SubIOp::create(getBuilder(), getLoc(), end, begin);
  Value whole = arith::SubIOp::create(getBuilder(), getLoc(), end,
                                      e.remainder(count, kGroup));
  sums = addGroups(e, begin, whole, kGroup, sums, terms, asWide);
  return addGroups(e, whole, end, 1, sums, terms, asWide);
}

void RowLowering::emit(SumRowsOp sum) {
  const Row all = rows.find(sum.getRows())->second;
  Block &block = sum.getBody().front();
  auto terms = [&](Value row) {
    rows[block.getArgument(0)] = {all.memory,
                                  e.add(all.offset, e.mul(row, all.stride)),
                                  /*stride=*/0, /*numRows=*/Value()};
    RowCode::emit(block);
    return getYielded(block);
  };
  SmallVector<Value> sums;
  if (sum.getRows().getType().getDimSize(0) == 1)
    sums = llvm::map_to_vector(terms(e.index(0)),
                               [&](Value value) { return widen(value); });
  else
    sums = sumOver(e.index(0), all.numRows, sum.getNumResults(), terms);
  mapping.map(sum.getResults(), sums);
}

//===----------------------------------------------------------------------===//
// kernel.reduce_rows
//===----------------------------------------------------------------------===//

LogicalResult SumCode::initialize() {
  for (Value output : op.getOutputs()) {
    auto found = RowAddresses::get(e, op, output);
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
    return {e.index(0), e.index(rows * blocks)};
  Value last = e.index(rows * blocks);
  Value begin = e.min(e.mul(slice, length * blocks), last);
  return {begin, e.min(e.add(begin, length * blocks), last)};
}

SmallVector<Value> SumCode::emitTerms(Value row, Value column) {
  const int64_t blocks = op.getBlocks();
  if (blocks > 1) {
    column = e.add(column, e.mul(e.remainder(row, blocks), op.getNumColumns()));
    row = e.divide(row, blocks);
  }
  setRow(row, column);
  Block &block = op.getBody().front();
  steps[block.getArgument(0)] = 1;
  emit(block);
  return getYielded(block);
}

void SumCode::store(ValueRange sums, Value slice, Value column) {
  for (auto [output, sum] : llvm::zip_equal(outputs, sums)) {
    Value place = e.add(output.getRow(e, slice), column), total = sum;
    if (op.getAccumulate())
      total =
          arith::AddFOp::create(getBuilder(), getLoc(),
                                e.load(lanes, output.getMemory(), place), sum);
    e.store(total, output.getMemory(), place);
  }
}
