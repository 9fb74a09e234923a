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
      auto found = RowAddresses::get(e, op, view);
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

/// How many numbers of type `type` one f32 of the memory holds; a matrix of
/// one column is no such type.
static int64_t getNumbersPerFloat(Type type) {
  return isNarrowView(type)
             ? 32 / cast<MemRefType>(type).getElementTypeBitWidth()
             : 1;
}

/// The values of a vector with fewer columns than the outputs: neighbouring
/// ones, unless some of them may be before others.
Value MapEmitter::loadRepeated(size_t input, Value column, int64_t length,
                               int64_t size) {
  auto getPlace = [&](Value column) {
    return e.add(from[input], e.remainder(column, size));
  };
  Value memory = inputs[input].getMemory();
  if (size % length == 0)
    return e.load(length, memory, getPlace(column));
  SmallVector<Value> elements;
  for (int64_t i = 0; i < length; ++i)
    elements.push_back(e.loadScalar(memory, getPlace(e.add(column, i))));
  return vector::FromElementsOp::create(
      e.getBuilder(), e.getLoc(),
      VectorType::get({length}, e.getBuilder().getF32Type()), elements);
}

Value MapEmitter::load(size_t input, Value column, int64_t length) {
  if (!from[input])
    return e.splat(length, 0);
  Value memory = inputs[input].getMemory();
  Type type = op.getInputs()[input].getType();
  if (isMatrixView(type) && getShape(type).second == 1 &&
      op.getNumColumns() != 1)
    return e.broadcast(length, e.loadScalar(memory, from[input]));
  if (isVectorView(type))
    if (int64_t size = cast<MemRefType>(type).getDimSize(0);
        size < op.getNumColumns())
      return loadRepeated(input, column, length, size);
  if (const int64_t numbers = getNumbersPerFloat(type); numbers > 1)
    return e.loadNumbers(
        VectorType::get({length}, cast<MemRefType>(type).getElementType()),
        memory, e.add(from[input], e.divide(column, numbers)));
  return e.load(length, memory, e.add(from[input], column));
}

void MapEmitter::store(size_t output, Value column, Value values) {
  Value memory = outputs[output].getMemory();
  const int64_t numbers = getNumbersPerFloat(op.getOutputs()[output].getType());
  if (numbers > 1)
    return e.storeNumbers(values, memory,
                          e.add(to[output], e.divide(column, numbers)));
  Value place = e.add(to[output], column);
  if (op.getAccumulate()) {
    auto type = dyn_cast<VectorType>(values.getType());
    Value sums = e.load(type ? type.getNumElements() : 1, memory, place);
    values = arith::AddFOp::create(e.getBuilder(), e.getLoc(), sums, values);
  }
  e.store(values, memory, place);
}

/// Loads everything before it stores anything: an output may be an input.
void MapEmitter::emitColumns(Value column, int64_t length) {
  SmallVector<Value> values;
  for (size_t i = 0; i < inputs.size(); ++i)
    values.push_back(load(i, column, length));
  auto results = computeOnVectors(e, op.getBody(), values, length);
  for (auto [i, result] : llvm::enumerate(results))
    store(i, column, result);
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
    return e.add(
        rows.getRow(e, e.divide(row, size)),
        e.mul(e.remainder(row, size), memref.getStridesAndOffset().first[1]));
  }
  if (isMatrixView(type)) {
    const int64_t numRows = getShape(type).first;
    if (numRows == 1)
      row = e.index(0);
    else if (numRows < op.getNumRows())
      row = e.remainder(row, numRows);
  }
  return rows.getRow(e, row);
}

/// The row for the inputs from `next` on, each where it is present and where it
/// is not, and then its columns.
void MapEmitter::emitInputs(size_t next, Value row) {
  if (next == inputs.size())
    return forEachColumns(
        [&](Value column, int64_t length) { emitColumns(column, length); });
  Value offset = from[next] = getInputRow(next, row);
  auto present = [&] { emitInputs(next + 1, row); };
  auto absent = [&] {
    from[next] = Value();
    emitInputs(next + 1, row);
  };
  if (!inputs[next].hasTable())
    present();
  else if (op.getAccumulate())
    ifPresent(e, offset, present);
  else
    ifPresent(e, offset, present, absent);
}

/// The row for the outputs from `next` on, if all of them are present.
void MapEmitter::emitOutputs(size_t next, Value row) {
  if (next == outputs.size())
    return emitInputs(0, row);
  to[next] = outputs[next].getRow(e, row);
  auto present = [&] { emitOutputs(next + 1, row); };
  if (outputs[next].hasTable())
    ifPresent(e, to[next], present);
  else
    present();
}

void MapEmitter::emitRow(Value row,
                         function_ref<void(ColumnsBody)> forEachColumns) {
  this->forEachColumns = forEachColumns;
  emitOutputs(0, row);
}
