//===- RowEmission.cpp - Code that goes over a row ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Arithmetic/RowEmission.h"

using namespace mlir;
using namespace mlir::nnet3;

RowEmission::RowEmission(kernel::MapRowsOp op, OpBuilder &builder,
                         unsigned numInputs, unsigned numVectors)
    : op(op), builder(builder), numInputs(numInputs), numVectors(numVectors) {
  if (numInputs)
    input = op.getInput(0);
}

void RowEmission::createRegion(
    Region &region, TypeRange types,
    function_ref<SmallVector<Value>(ValueRange)> body) {
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(
      &region, {}, types, SmallVector<Location>(types.size(), getLoc()));
  kernel::YieldOp::create(builder, getLoc(), body(block->getArguments()));
}

Value RowEmission::loadElement(Value row, Value column) {
  return memref::LoadOp::create(builder, getLoc(), row, column);
}

Value RowEmission::loadFrom(int64_t number, Value column) {
  Value row = arith::ConstantIndexOp::create(builder, getLoc(), number);
  return memref::LoadOp::create(builder, getLoc(), input,
                                ValueRange{row, column});
}

Value RowEmission::loadIndex(unsigned number, Value column) {
  Value entry =
      loadElement(op.getInput(numInputs + numVectors + number), column);
  return arith::IndexCastOp::create(builder, getLoc(), builder.getIndexType(),
                                    entry);
}

void RowEmission::store(Value element, Value column) {
  memref::StoreOp::create(builder, getLoc(), element, op.getOutputRow(),
                          column);
}

void RowEmission::forEach(int64_t count, function_ref<void(Value)> body) {
  auto loop = kernel::ForColumnsOp::create(builder, getLoc(), count);
  createRegion(loop.getBody(), builder.getIndexType(), [&](ValueRange column) {
    body(column[0]);
    return SmallVector<Value>();
  });
}

void RowEmission::forEachOf(int64_t blocks, int64_t count,
                            function_ref<void(Value, Value)> body) {
  auto loop = kernel::ForColumnsOp::create(builder, getLoc(),
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
      builder, getLoc(), builder.getF32Type(), kind, count);
  createRegion(
      reduction.getBody(), builder.getIndexType(),
      [&](ValueRange at) -> SmallVector<Value> { return {body(at[0])}; });
  return reduction.getResult();
}

Value RowEmission::sumBetween(Value begin, Value end, int64_t typical,
                              function_ref<Value(Value)> body) {
  auto sum = kernel::SumRangeOp::create(builder, getLoc(), builder.getF32Type(),
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
  auto products = kernel::DotColumnsOp::create(builder, getLoc(), types, count);
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
      kernel::SoftmaxOp::create(builder, getLoc(), types, numbers)
          .getResults());
}

SmallVector<Value>
RowEmission::sumRows(unsigned number, function_ref<SmallVector<Value>()> body) {
  SmallVector<Type> types(number, builder.getF64Type());
  const Value all = input;
  auto sum = kernel::SumRowsOp::create(builder, getLoc(), types, all);
  auto type = cast<MemRefType>(all.getType());
  auto row = MemRefType::get(
      type.getDimSize(1), type.getElementType(),
      StridedLayoutAttr::get(builder.getContext(), ShapedType::kDynamic, {1}));
  createRegion(sum.getBody(), row, [&](ValueRange argument) {
    input = argument[0];
    return body();
  });
  input = all;
  return llvm::to_vector_of<Value>(sum.getResults());
}

Value RowEmission::getNumRows() {
  Value count = memref::DimOp::create(builder, getLoc(), input, 0);
  Value number = arith::IndexCastOp::create(builder, getLoc(),
                                            builder.getI64Type(), count);
  return arith::SIToFPOp::create(builder, getLoc(), builder.getF64Type(),
                                 number);
}
