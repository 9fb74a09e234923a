//===- BuilderUtils.cpp - Groups of vector, index and loop ops ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Conversion/KernelToVector/BuilderUtils.h"

using namespace mlir;
using namespace mlir::nnet3;

static Value createIndex(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

Value mlir::nnet3::addIndex(ImplicitLocOpBuilder &b, Value x, Value y) {
  return arith::AddIOp::create(b, x, y, arith::IntegerOverflowFlags::nsw);
}

Value mlir::nnet3::addIndex(ImplicitLocOpBuilder &b, Value x, int64_t y) {
  return y == 0 ? x : addIndex(b, x, createIndex(b, y));
}

Value mlir::nnet3::mulIndex(ImplicitLocOpBuilder &b, Value x, Value y) {
  return arith::MulIOp::create(b, x, y, arith::IntegerOverflowFlags::nsw);
}

Value mlir::nnet3::mulIndex(ImplicitLocOpBuilder &b, Value x, int64_t y) {
  return mulIndex(b, x, createIndex(b, y));
}

Value mlir::nnet3::divIndex(ImplicitLocOpBuilder &b, Value x, int64_t y) {
  return arith::DivUIOp::create(b, x, createIndex(b, y));
}

Value mlir::nnet3::remIndex(ImplicitLocOpBuilder &b, Value x, int64_t y) {
  return arith::RemUIOp::create(b, x, createIndex(b, y));
}

Type mlir::nnet3::getVectorOrScalar(int64_t length, Type element) {
  return length == 1 ? element : VectorType::get({length}, element);
}

static llvm::MaybeAlign getAlignment(VectorType type, bool isAligned) {
  if (!isAligned)
    return std::nullopt;
  return llvm::Align(sizeof(float) * type.getNumElements());
}

Value mlir::nnet3::loadFrom(ImplicitLocOpBuilder &b, Type type, Value memory,
                            Value offset, bool isAligned) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector::LoadOp::create(b, vector, memory, offset,
                                  /*nontemporal=*/false,
                                  getAlignment(vector, isAligned));
  return memref::LoadOp::create(b, memory, offset);
}

void mlir::nnet3::storeTo(ImplicitLocOpBuilder &b, Value value, Value memory,
                          Value offset, bool isAligned) {
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    vector::StoreOp::create(b, value, memory, offset, /*nontemporal=*/false,
                            getAlignment(vector, isAligned));
  else
    memref::StoreOp::create(b, value, memory, offset);
}

void mlir::nnet3::forEachStep(ImplicitLocOpBuilder &b, Value begin, Value end,
                              Value step, function_ref<void(Value)> body) {
  scf::buildLoopNest(b, b.getLoc(), begin, end, step,
                     [&](OpBuilder &, Location, ValueRange i) { body(i[0]); });
}

void mlir::nnet3::forEachStep(ImplicitLocOpBuilder &b, Value begin, Value end,
                              int64_t step, function_ref<void(Value)> body) {
  forEachStep(b, begin, end, createIndex(b, step), body);
}

void mlir::nnet3::forEachStep(ImplicitLocOpBuilder &b, int64_t count,
                              int64_t step, function_ref<void(Value)> body) {
  if (count <= 0)
    return;
  Value zero = createIndex(b, 0);
  if (count > step)
    forEachStep(b, zero, createIndex(b, count), step, body);
  else
    body(zero);
}

void mlir::nnet3::forEachApart(ImplicitLocOpBuilder &b, int64_t threads,
                               int64_t count, int64_t step,
                               function_ref<void(Value)> body) {
  if (threads == 1)
    return forEachStep(b, count, step, body);
  if (count > 0)
    scf::ParallelOp::create(
        b, ValueRange(createIndex(b, 0)), ValueRange(createIndex(b, count)),
        ValueRange(createIndex(b, step)),
        [&](OpBuilder &, Location, ValueRange i) { body(i[0]); });
}

void mlir::nnet3::forEachShare(ImplicitLocOpBuilder &b, int64_t threads,
                               int64_t count,
                               function_ref<void(Value, Value)> body) {
  auto getBegin = [&](Value number) {
    return divIndex(b, mulIndex(b, number, count), threads);
  };
  parallelFor(b, {threads}, [&](ValueRange i) {
    Value begin = getBegin(i[0]);
    body(begin, getBegin(addIndex(b, i[0], 1)));
  });
}

void mlir::nnet3::parallelFor(ImplicitLocOpBuilder &b, ValueRange begin,
                              ValueRange end,
                              function_ref<void(ValueRange)> body) {
  SmallVector<Value> steps(begin.size(), createIndex(b, 1));
  scf::ParallelOp::create(
      b, begin, end, steps,
      [&](OpBuilder &, Location, ValueRange point) { body(point); });
}

void mlir::nnet3::parallelFor(ImplicitLocOpBuilder &b, ArrayRef<int64_t> counts,
                              function_ref<void(ValueRange)> body) {
  SmallVector<Value> begin(counts.size(), createIndex(b, 0)), end;
  for (int64_t count : counts)
    end.push_back(createIndex(b, count));
  parallelFor(b, begin, end, body);
}
