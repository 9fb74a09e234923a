//===- MapEmitter.cpp - The code of kernel.map ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Conversion/KernelToVector/MapEmitter.h"
#include "RegionOnVectors.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

LogicalResult MapEmitter::initialize() {
  auto collect = [&](ValueRange views, SmallVector<RowAddresses> &rows) {
    for (Value view : views) {
      auto found = RowAddresses::get(b, op, view);
      if (failed(found))
        return failure();
      rows.push_back(*found);
    }
    return success();
  };
  from.resize(op.getInputs().size());
  to.resize(op.getOutputs().size());
  return success(succeeded(collect(op.getInputs(), inputs)) &&
                 succeeded(collect(op.getOutputs(), outputs)));
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

/// Number of elements of view type `type` in one f32 of the memory; 1 for a
/// view without narrow elements.
static int64_t getNumbersPerFloat(Type type) {
  return isNarrowView(type)
             ? 32 / cast<MemRefType>(type).getElementTypeBitWidth()
             : 1;
}

Type MapEmitter::getType(Lanes lanes) {
  if (threads)
    return lanes.getType(b.getF32Type());
  return lanes.getVectorType(b.getF32Type());
}

/// The vector of f32 with the same number of bits as `numbers`.
static VectorType getFloats(VectorType numbers) {
  return VectorType::get(
      {numbers.getNumElements() * numbers.getElementTypeBitWidth() / 32},
      Float32Type::get(numbers.getContext()));
}

/// Whether `input` is a vector with fewer columns than the outputs.
bool MapEmitter::isRepeated(size_t input) {
  Type type = op.getInputs()[input].getType();
  return isVectorView(type) &&
         cast<MemRefType>(type).getDimSize(0) < op.getNumColumns();
}

bool MapEmitter::canScale() {
  return llvm::none_of(llvm::seq(inputs.size()),
                       [&](size_t input) { return isRepeated(input); });
}

/// Loads values of a vector that repeats every `size` columns: one vector load
/// if no vector wraps around, else element by element.
Value MapEmitter::loadRepeated(size_t input, Value column, int64_t length,
                               int64_t size) {
  auto getPlace = [&](Value column) {
    return addIndex(b, from[input], remIndex(b, column, size));
  };
  Value memory = inputs[input].getMemory();
  if (size % length == 0)
    return loadFrom(b, getType(length), memory, getPlace(column), threads);
  SmallVector<Value> elements;
  for (int64_t i = 0; i < length; ++i)
    elements.push_back(
        memref::LoadOp::create(b, memory, getPlace(addIndex(b, column, i))));
  return vector::FromElementsOp::create(
      b, VectorType::get({length}, b.getF32Type()), elements);
}

Value MapEmitter::load(size_t input, Value column, Lanes lanes) {
  if (!from[input])
    return arith::ConstantOp::create(b, b.getZeroAttr(getType(lanes)));
  Value memory = inputs[input].getMemory();
  Type type = op.getInputs()[input].getType();
  if (isMatrixView(type) && getShape(type).second == 1 &&
      op.getNumColumns() != 1) {
    Value number = memref::LoadOp::create(b, memory, from[input]);
    if (auto vector = dyn_cast<VectorType>(getType(lanes)))
      return vector::BroadcastOp::create(b, vector, number);
    return number;
  }
  if (isRepeated(input))
    return loadRepeated(input, column, lanes.getCount(),
                        cast<MemRefType>(type).getDimSize(0));
  if (const int64_t numbers = getNumbersPerFloat(type); numbers > 1) {
    auto vector = lanes.getVectorType(cast<MemRefType>(type).getElementType());
    Value place = addIndex(b, from[input], divIndex(b, column, numbers));
    return vector::BitCastOp::create(
        b, vector, loadFrom(b, getFloats(vector), memory, place, threads));
  }
  return lanes.load(b, getType(lanes), memory, addIndex(b, from[input], column),
                    threads);
}

void MapEmitter::store(size_t output, Value column, Lanes lanes, Value values) {
  Value memory = outputs[output].getMemory();
  const int64_t numbers = getNumbersPerFloat(op.getOutputs()[output].getType());
  if (numbers > 1) {
    Value place = addIndex(b, to[output], divIndex(b, column, numbers));
    Value floats = vector::BitCastOp::create(
        b, getFloats(cast<VectorType>(values.getType())), values);
    return storeTo(b, floats, memory, place, threads);
  }
  Value place = addIndex(b, to[output], column);
  if (op.getAccumulate()) {
    Value sums = lanes.load(b, values.getType(), memory, place, threads);
    values = arith::AddFOp::create(b, sums, values);
  }
  lanes.store(b, values, memory, place, threads);
}

/// Performs all loads before the first store, as an output may alias an input.
void MapEmitter::emitColumns(Value column, Lanes lanes) {
  SmallVector<Value> values;
  for (size_t i = 0; i < inputs.size(); ++i)
    values.push_back(load(i, column, lanes));
  auto results = computeOnVectors(b, op.getBody(), values, getType(lanes));
  for (auto [i, result] : llvm::enumerate(results))
    store(i, column, lanes, result);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

Value MapEmitter::getInputRow(size_t input, Value row) {
  Type type = op.getInputs()[input].getType();
  const RowAddresses &rows = inputs[input];
  if (isRowGroupsView(type)) {
    auto memref = cast<MemRefType>(type);
    const int64_t size = memref.getDimSize(1);
    return addIndex(b, rows.getRow(b, divIndex(b, row, size)),
                    mulIndex(b, remIndex(b, row, size),
                             memref.getStridesAndOffset().first[1]));
  }
  if (isMatrixView(type)) {
    const int64_t numRows = getShape(type).first;
    if (numRows == 1)
      row = arith::ConstantIndexOp::create(b, 0);
    else if (numRows < op.getNumRows())
      row = remIndex(b, row, numRows);
  }
  return rows.getRow(b, row);
}

/// Emits a row for the inputs from `next` on, with a branch for each input
/// whose row may be absent, and then its columns.
void MapEmitter::emitInputs(size_t next, Value row) {
  if (next == inputs.size())
    return forEachColumns(
        [&](Value column, Lanes lanes) { emitColumns(column, lanes); });
  Value offset = from[next] = getInputRow(next, row);
  auto present = [&] { emitInputs(next + 1, row); };
  auto absent = [&] {
    from[next] = Value();
    emitInputs(next + 1, row);
  };
  if (!inputs[next].hasTable())
    present();
  else if (op.getAccumulate())
    ifPresent(b, offset, present);
  else
    ifPresent(b, offset, present, absent);
}

/// Emits a row for the outputs from `next` on; skips it if one is absent.
void MapEmitter::emitOutputs(size_t next, Value row) {
  if (next == outputs.size())
    return emitInputs(0, row);
  to[next] = outputs[next].getRow(b, row);
  auto present = [&] { emitOutputs(next + 1, row); };
  if (outputs[next].hasTable())
    ifPresent(b, to[next], present);
  else
    present();
}

void MapEmitter::emitRow(Value row,
                         function_ref<void(ColumnsBody)> forEachColumns) {
  this->forEachColumns = forEachColumns;
  emitOutputs(0, row);
}
