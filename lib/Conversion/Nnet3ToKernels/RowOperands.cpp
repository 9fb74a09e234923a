//===- RowOperands.cpp - What the code of a row reads and writes ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RowOperands.h"

using namespace mlir;
using namespace mlir::nnet3;

/// So many rows are added up in what they are computed in, then in f64: sums of
/// f32 take half as long, and their rounding stays within the group.
static constexpr int64_t kGroup = 4;

RowOperands::RowOperands(const WholeRowKernel &kernel, VectorEmitter &e,
                         func::FuncOp function)
    : RowEmission(e.getBuilder(), e.getLoc()), kernel(kernel), e(e),
      arena(function.getArgument(0)), weights(function.getArgument(1)),
      tables(function.getArgument(2)) {
  ValueRange places = function.getArguments().drop_front(getFirstPlace());
  vectors = places.take_front(kernel.getNumVectors());
  places = places.drop_front(vectors.size());
  indexes = places.take_front(kernel.getNumIndexes());
  places = places.drop_front(indexes.size());
  outputPlace = places[0];
  if (kernel.hasInput())
    inputPlace = places[1];
  if (kernel.getReads() == RowReads::Range && !kernel.rangeRows)
    rowsTable = places[2];
}

Value RowOperands::getIndex(Value table, Value entry) {
  Value number = e.loadScalar(tables, e.add(table, entry));
  return arith::IndexCastOp::create(getBuilder(), getLoc(),
                                    getBuilder().getIndexType(), number);
}

void RowOperands::setRow(Value row, Value newPart) {
  part = newPart;
  output = e.add(outputPlace, e.mul(row, kernel.outputStride));
  if (!kernel.hasInput())
    return;
  if (kernel.getReads() != RowReads::Range) {
    input = e.add(inputPlace, e.mul(row, kernel.inputStride));
    return;
  }
  input = kernel.beginStride
              ? e.add(inputPlace, e.mul(row, *kernel.beginStride))
              : getIndex(inputPlace, row);
  numRows =
      kernel.rangeRows ? e.index(*kernel.rangeRows) : getIndex(rowsTable, row);
}

Value RowOperands::load(Value column, int64_t stride) {
  Value place = e.add(input, column);
  if (stride == 1 || lanes == 1)
    return e.load(lanes, arena, place);
  SmallVector<Value> elements;
  for (int64_t lane = 0; lane < lanes; ++lane)
    elements.push_back(e.loadScalar(arena, e.add(place, lane * stride)));
  return vector::FromElementsOp::create(
      getBuilder(), getLoc(),
      VectorType::get({lanes}, getBuilder().getF32Type()), elements);
}

Value RowOperands::loadFrom(int64_t number, Value column) {
  return e.load(lanes, arena,
                e.add(e.add(input, column), number * kernel.rowDistance));
}

Value RowOperands::loadVector(unsigned number, Value column) {
  return e.load(lanes, weights, e.add(vectors[number], column));
}

Value RowOperands::loadIndex(unsigned number, Value column) {
  return getIndex(indexes[number], column);
}

Value RowOperands::loadOutput(Value column) {
  return e.load(lanes, arena, e.add(output, column));
}

void RowOperands::store(Value elements, Value column) {
  if (!isa<VectorType>(elements.getType()))
    elements = e.broadcast(lanes, elements);
  e.store(elements, arena, e.add(output, column));
}

Value RowOperands::widen(Value values) {
  Type wide = getBuilder().getF64Type();
  if (getElementTypeOrSelf(values) == wide)
    return values;
  if (auto vector = dyn_cast<VectorType>(values.getType()))
    wide = vector.clone(wide);
  return arith::ExtFOp::create(getBuilder(), getLoc(), wide, values);
}

Value RowOperands::addColumns(Value begin, Value end, Value sums,
                              function_ref<Value(Value)> body) {
  return e.loop(begin, end, lanes, sums,
                [&](Value column, ValueRange before) -> SmallVector<Value> {
                  return {arith::AddFOp::create(
                      getBuilder(), getLoc(), before[0], widen(body(column)))};
                })[0];
}

Value RowOperands::sumBetween(Value begin, Value end, int64_t,
                              function_ref<Value(Value)> body) {
  Value first = widen(body(begin));
  return arith::TruncFOp::create(getBuilder(), getLoc(),
                                 getBuilder().getF32Type(),
                                 addColumns(e.add(begin, 1), end, first, body));
}

/// The sums of what `body` gives for `count` rows from `input` on, which stays
/// as it is.
SmallVector<Value>
RowOperands::sumGroup(int64_t count, function_ref<SmallVector<Value>()> body) {
  const Value first = input;
  SmallVector<SmallVector<Value>> rows;
  for (int64_t row = 0; row < count; ++row) {
    input = e.add(first, row * kernel.inputStride);
    rows.push_back(body());
  }
  input = first;
  for (; rows.size() > 1; rows.resize(rows.size() / 2))
    for (size_t i = 0; i < rows.size() / 2; ++i)
      for (auto [sum, a, b] :
           llvm::zip_equal(rows[i], rows[2 * i], rows[2 * i + 1]))
        sum = arith::AddFOp::create(getBuilder(), getLoc(), a, b);
  return rows.front();
}

/// Adds the rows from `begin` to `end` to `sums`, a group of `size` at a time.
SmallVector<Value>
RowOperands::addGroups(Value begin, Value end, int64_t size,
                       ArrayRef<Value> sums,
                       function_ref<SmallVector<Value>()> body) {
  const Value first = input;
  auto results =
      e.loop(begin, end, size, sums, [&](Value row, ValueRange before) {
        input = e.add(first, e.mul(row, kernel.inputStride));
        SmallVector<Value> values = sumGroup(size, body);
        for (auto [value, sum] : llvm::zip_equal(values, before))
          value =
              arith::AddFOp::create(getBuilder(), getLoc(), sum, widen(value));
        return values;
      });
  input = first;
  return llvm::to_vector(results);
}

SmallVector<Value>
RowOperands::sumRows(unsigned number, function_ref<SmallVector<Value>()> body) {
  if (kernel.rangeRows == 1)
    return llvm::map_to_vector(body(), [&](Value x) { return widen(x); });
  SmallVector<Value> sums(number, widen(e.splat(lanes, 0)));
  Value rest =
      arith::RemUIOp::create(getBuilder(), getLoc(), numRows, e.index(kGroup));
  Value whole = arith::SubIOp::create(getBuilder(), getLoc(), numRows, rest);
  sums = addGroups(e.index(0), whole, kGroup, sums, body);
  return addGroups(whole, numRows, 1, sums, body);
}

Value RowOperands::getNumRows() {
  OpBuilder &builder = getBuilder();
  Value count = arith::IndexCastOp::create(builder, getLoc(),
                                           builder.getI64Type(), numRows);
  return arith::SIToFPOp::create(builder, getLoc(), builder.getF64Type(),
                                 count);
}
