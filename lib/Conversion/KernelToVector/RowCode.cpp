//===- RowCode.cpp - Scalar code of rows in lanes -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Conversion/KernelToVector/RowLowering.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

/// So many rows are added up in what they are computed in, then in f64: sums of
/// f32 take half as long, and their rounding stays within the group.
static constexpr int64_t kGroup = 4;

Value RowLowering::inLanes(Value value) {
  if (lanes == 1 || isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(
      getBuilder(), getLoc(), VectorType::get({lanes}, value.getType()), value);
}

static std::optional<int64_t> getConstant(Value value) {
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)))
    return std::nullopt;
  return number.getSExtValue();
}

/// Of what an operation computes of indexes; an operation that is not linear
/// fails unless all lanes are one.
int64_t RowLowering::computeStep(Operation *inner) {
  if (llvm::all_of(inner->getOperands(),
                   [&](Value operand) { return getStep(operand) == 0; }))
    return 0;
  if (isa<arith::AddIOp>(inner))
    return getStep(inner->getOperand(0)) + getStep(inner->getOperand(1));
  if (isa<arith::SubIOp>(inner))
    return getStep(inner->getOperand(0)) - getStep(inner->getOperand(1));
  if (isa<arith::MulIOp>(inner))
    for (unsigned i : {0, 1})
      if (auto factor = getConstant(inner->getOperand(i)))
        return *factor * getStep(inner->getOperand(1 - i));
  if (lanes > 1)
    fail(inner, "does not compute a linear function of the column");
  return 0;
}

void RowLowering::emitScalar(Operation *inner) {
  const int64_t step = computeStep(inner);
  SmallVector<Value> values;
  for (Value operand : inner->getOperands())
    values.push_back(lookup(operand));
  const bool isWide = llvm::any_of(
      values, [](Value value) { return isa<VectorType>(value.getType()); });
  if (isWide)
    llvm::transform(values, values.begin(),
                    [&](Value value) { return inLanes(value); });
  Operation *copy = inner->clone(mapping);
  copy->setOperands(values);
  getBuilder().insert(copy);
  for (auto [result, before] :
       llvm::zip_equal(copy->getResults(), inner->getResults())) {
    if (isWide && before.getType().isIndex())
      fail(inner, "computes an index that differs from column to column");
    else if (isWide)
      result.setType(VectorType::get({lanes}, before.getType()));
    steps[before] = step;
  }
}

/// Loops of a row carry numbers of all lanes, and indexes that all lanes have.
void RowLowering::emit(scf::ForOp loop) {
  auto carry = [&](Value value) {
    if (getStep(value))
      fail(loop, "carries an index that differs from column to column");
    Value mapped = lookup(value);
    return value.getType().isIndex() ? mapped : inLanes(mapped);
  };
  for (Value bound :
       {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
    if (getStep(bound))
      return fail(loop, "expects bounds that all columns have");
  SmallVector<Value> inits = llvm::map_to_vector(loop.getInitArgs(), carry);
  auto copy = scf::ForOp::create(
      getBuilder(), loop.getLoc(), lookup(loop.getLowerBound()),
      lookup(loop.getUpperBound()), lookup(loop.getStep()), inits,
      [&](OpBuilder &builder, Location loc, Value i, ValueRange before) {
        mapping.map(loop.getInductionVar(), i);
        mapping.map(loop.getRegionIterArgs(), before);
        emit(*loop.getBody());
        scf::YieldOp::create(
            builder, loc, llvm::map_to_vector(loop.getYieldedValues(), carry));
      });
  mapping.map(loop.getResults(), copy.getResults());
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value RowLowering::getOffset(Value memory, ValueRange indices) {
  const Row &row = rows.find(memory)->second;
  Value offset = e.add(row.offset, lookup(indices.back()));
  if (indices.size() == 1)
    return offset;
  if (auto number = getConstant(indices[0]))
    return e.add(offset, *number * row.stride);
  return e.add(offset, e.mul(lookup(indices[0]), row.stride));
}

/// Neighbouring columns are a vector; others are loaded one by one.
void RowLowering::emit(memref::LoadOp load) {
  const Row row = rows.find(load.getMemRef())->second;
  Value offset = getOffset(load.getMemRef(), load.getIndices());
  const int64_t step = getStep(load.getIndices().back());
  if (load.getIndices().size() == 2 && getStep(load.getIndices()[0]))
    fail(load, "expects a row that all columns have");
  Value result;
  if (lanes == 1 || step == 0) {
    result = e.loadScalar(row.memory, offset);
  } else if (!load.getType().isF32()) {
    result = e.loadScalar(row.memory, offset);
    fail(load, "expects an entry that all columns have");
  } else if (step == 1) {
    result = e.load(lanes, row.memory, offset);
  } else {
    SmallVector<Value> elements;
    for (int64_t lane = 0; lane < lanes; ++lane)
      elements.push_back(e.loadScalar(row.memory, e.add(offset, lane * step)));
    result = vector::FromElementsOp::create(
        getBuilder(), getLoc(),
        VectorType::get({lanes}, getBuilder().getF32Type()), elements);
  }
  mapping.map(load.getResult(), result);
}

void RowLowering::emit(memref::StoreOp store) {
  if (lanes > 1 && getStep(store.getIndices()[0]) != 1)
    fail(store, "expects to store to neighbouring columns");
  const Row row = rows.find(store.getMemRef())->second;
  Value value = inLanes(lookup(store.getValueToStore()));
  e.store(value, row.memory, getOffset(store.getMemRef(), store.getIndices()));
}

void RowLowering::emit(memref::DimOp dim) {
  mapping.map(dim.getResult(), rows.find(dim.getSource())->second.numRows);
}

//===----------------------------------------------------------------------===//
// Sums over rows
//===----------------------------------------------------------------------===//

/// The sums of `count` rows from `offset` on.
SmallVector<Value> RowLowering::sumGroup(SumRowsOp sum, Value offset,
                                         int64_t count) {
  const Row all = rows.find(sum.getRows())->second;
  Block &block = sum.getBody().front();
  SmallVector<SmallVector<Value>> parts;
  for (int64_t row = 0; row < count; ++row) {
    rows[block.getArgument(0)] = {all.memory, e.add(offset, row * all.stride),
                                  /*stride=*/0, /*numRows=*/Value()};
    emit(block);
    parts.push_back(getYielded(block));
  }
  for (; parts.size() > 1; parts.resize(parts.size() / 2))
    for (size_t i = 0; i < parts.size() / 2; ++i)
      for (auto [part, a, b] :
           llvm::zip_equal(parts[i], parts[2 * i], parts[2 * i + 1]))
        part = arith::AddFOp::create(getBuilder(), getLoc(), a, b);
  return parts.front();
}

/// Adds the rows from `begin` to `end` to `sums`, a group of `size` at a time.
SmallVector<Value> RowLowering::addRows(SumRowsOp sum, Value begin, Value end,
                                        int64_t size, ArrayRef<Value> sums) {
  const Row all = rows.find(sum.getRows())->second;
  return llvm::to_vector_of<Value>(
      e.loop(begin, end, size, sums, [&](Value row, ValueRange before) {
        SmallVector<Value> values =
            sumGroup(sum, e.add(all.offset, e.mul(row, all.stride)), size);
        for (auto [value, total] : llvm::zip_equal(values, before))
          value = arith::AddFOp::create(getBuilder(), getLoc(), total,
                                        widen(value));
        return values;
      }));
}

void RowLowering::emit(SumRowsOp sum) {
  const Row all = rows.find(sum.getRows())->second;
  SmallVector<Value> sums;
  if (sum.getRows().getType().getDimSize(0) == 1) {
    for (Value value : sumGroup(sum, all.offset, 1))
      sums.push_back(widen(value));
  } else {
    sums.assign(sum.getNumResults(), widen(e.splat(lanes, 0)));
    Value rest = e.remainder(all.numRows, kGroup);
    Value whole =
        arith::SubIOp::create(getBuilder(), getLoc(), all.numRows, rest);
    sums = addRows(sum, e.index(0), whole, kGroup, sums);
    sums = addRows(sum, whole, all.numRows, 1, sums);
  }
  mapping.map(sum.getResults(), sums);
}
