//===- RowEmission.cpp - Code for one row ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Arithmetic/RowEmission.h"

using namespace mlir;
using namespace mlir::nnet3;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Returns pointers to all inputs that are present.
template <typename Self> auto RowOperands::getAll(Self &self) {
  SmallVector<decltype(&self.input)> all;
  for (auto *one : {&self.input, &self.output, &self.derivative, &self.factors,
                    &self.repairs, &self.rowNumbers, &self.memo, &self.scratch,
                    &self.random, &self.command, &self.own, &self.kept})
    if (*one)
      all.push_back(one);
  for (auto *several : {&self.vectors, &self.indexes})
    for (auto &one : *several)
      all.push_back(&one);
  return all;
}

SmallVector<Value> RowOperands::getInputs() const {
  return llvm::map_to_vector(getAll(*this),
                             [](const Value *input) { return *input; });
}

RowOperands RowOperands::replaceInputs(ValueRange arguments) const {
  RowOperands result = *this;
  for (auto [input, argument] : llvm::zip_equal(getAll(result), arguments))
    *input = argument;
  return result;
}

void RowEmission::mapRows(OpBuilder &builder, Location loc,
                          const RowOperands &operands, int64_t parts,
                          function_ref<void(RowEmission &)> body) {
  auto map = kernel::MapRowsOp::create(builder, loc, operands.getInputs(),
                                       operands.stored, parts);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&map.getBody().front());
  RowOperands arguments = operands.replaceInputs(
      map.getBody().getArguments().drop_front().drop_back());
  arguments.stored = map.getOutputRow();
  arguments.part = map.getPart();
  RowEmission row(builder, loc, arguments);
  body(row);
  kernel::YieldOp::create(builder, loc, ValueRange());
}

void RowEmission::reduceRows(
    OpBuilder &builder, Location loc, const RowOperands &operands,
    ValueRange outputs, Value scratch, int64_t blocks, bool adds,
    function_ref<SmallVector<Value>(RowEmission &, Value)> body) {
  const SmallVector<Value> inputs = operands.getInputs();
  auto reduction = kernel::ReduceRowsOp::create(builder, loc, inputs, outputs,
                                                scratch, blocks, adds);
  SmallVector<Type> types = {builder.getIndexType()};
  for (Value input : inputs)
    types.push_back(kernel::MapRowsOp::getArgumentType(input.getType()));
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&reduction.getBody(), {}, types,
                                     SmallVector<Location>(types.size(), loc));
  RowEmission row(builder, loc,
                  operands.replaceInputs(block->getArguments().drop_front()));
  kernel::YieldOp::create(builder, loc, body(row, block->getArgument(0)));
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

void RowEmission::createRegion(
    Region &region, TypeRange types,
    function_ref<SmallVector<Value>(ValueRange)> body) {
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&region, {}, types,
                                     SmallVector<Location>(types.size(), loc));
  kernel::YieldOp::create(builder, loc, body(block->getArguments()));
}

Value RowEmission::loadElement(Value row, Value column) {
  return memref::LoadOp::create(builder, loc, row, column);
}

Value RowEmission::loadFrom(int64_t number, Value column) {
  Value row = arith::ConstantIndexOp::create(builder, loc, number);
  return memref::LoadOp::create(builder, loc, operands.input,
                                ValueRange{row, column});
}

/// Loads element `place` of `list` as an index.
Value RowEmission::loadEntry(Value list, Value place) {
  return create<arith::IndexCastOp>(builder.getIndexType(),
                                    loadElement(list, place));
}

Value RowEmission::loadRowNumber() {
  return loadEntry(operands.rowNumbers, index(0));
}

Value RowEmission::loadIndex(unsigned number, Value column) {
  return loadEntry(operands.indexes[number], column);
}

void RowEmission::store(Value element, Value column) {
  if (operands.adds)
    element = add(loadStored(column), element);
  memref::StoreOp::create(builder, loc, element, operands.stored, column);
}

void RowEmission::forEach(int64_t count, function_ref<void(Value)> body) {
  auto loop = kernel::ForColumnsOp::create(builder, loc, count);
  createRegion(loop.getBody(), builder.getIndexType(), [&](ValueRange column) {
    body(column[0]);
    return SmallVector<Value>();
  });
}

void RowEmission::forEachOf(int64_t blocks, int64_t count,
                            function_ref<void(Value, Value)> body) {
  auto loop = kernel::ForColumnsOp::create(builder, loc,
                                           ArrayRef<int64_t>{blocks, count});
  Type index = builder.getIndexType();
  createRegion(loop.getBody(), {index, index}, [&](ValueRange at) {
    body(at[0], at[1]);
    return SmallVector<Value>();
  });
}

Value RowEmission::reduce(kernel::Reduction kind, int64_t count,
                          function_ref<Value(Value)> body) {
  auto reduction = kernel::ReduceColumnsOp::create(
      builder, loc, builder.getF32Type(), kind, count);
  createRegion(
      reduction.getBody(), builder.getIndexType(),
      [&](ValueRange at) -> SmallVector<Value> { return {body(at[0])}; });
  return reduction.getResult();
}

Value RowEmission::sumBetween(Value begin, Value end, int64_t typical,
                              function_ref<Value(Value)> body) {
  auto sum = kernel::SumRangeOp::create(builder, loc, builder.getF32Type(),
                                        begin, end, typical);
  createRegion(
      sum.getBody(), builder.getIndexType(),
      [&](ValueRange at) -> SmallVector<Value> { return {body(at[0])}; });
  return sum.getResult();
}

SmallVector<Value>
RowEmission::dots(unsigned number, int64_t count,
                  function_ref<std::pair<Value, Value>(unsigned, Value)> body) {
  SmallVector<Type> types(number, builder.getF32Type());
  auto products = kernel::DotColumnsOp::create(builder, loc, types, count);
  createRegion(products.getBody(), builder.getIndexType(), [&](ValueRange at) {
    SmallVector<Value> factors;
    for (unsigned i = 0; i < number; ++i) {
      auto [a, b] = body(i, at[0]);
      factors.append({a, b});
    }
    return factors;
  });
  return llvm::to_vector_of<Value>(products.getResults());
}

SmallVector<Value> RowEmission::softmax(ArrayRef<Value> numbers) {
  SmallVector<Type> types(numbers.size(), builder.getF32Type());
  return llvm::to_vector_of<Value>(
      kernel::SoftmaxOp::create(builder, loc, types, numbers).getResults());
}

SmallVector<Value> RowEmission::sumRows(unsigned number,
                                        function_ref<SmallVector<Value>()> body,
                                        Value RowOperands::*rows) {
  SmallVector<Type> types(number, builder.getF64Type());
  const Value all = operands.*rows;
  auto sum = kernel::SumRowsOp::create(builder, loc, types, all);
  auto type = cast<MemRefType>(all.getType());
  auto row = MemRefType::get(
      type.getDimSize(1), type.getElementType(),
      StridedLayoutAttr::get(builder.getContext(), ShapedType::kDynamic, {1}));
  createRegion(sum.getBody(), row, [&](ValueRange argument) {
    operands.*rows = argument[0];
    return body();
  });
  operands.*rows = all;
  return llvm::to_vector_of<Value>(sum.getResults());
}

Value RowEmission::getNumRows() {
  Value count = memref::DimOp::create(builder, loc, operands.input, 0);
  Value number =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), count);
  return arith::SIToFPOp::create(builder, loc, builder.getF64Type(), number);
}
