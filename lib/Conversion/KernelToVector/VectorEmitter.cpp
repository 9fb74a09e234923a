//===- VectorEmitter.cpp - Short names for vector and loop ops ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Conversion/KernelToVector/VectorEmitter.h"

using namespace mlir;
using namespace mlir::nnet3;

Type VectorEmitter::getType(int64_t length, Type element) const {
  if (scalars && length == 1)
    return element;
  return VectorType::get({length}, element);
}

Value VectorEmitter::splat(int64_t length, float value) {
  Type type = getType(length);
  TypedAttr attr = builder.getF32FloatAttr(value);
  if (auto vector = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(vector, value);
  return arith::ConstantOp::create(builder, loc, type, attr);
}

Value VectorEmitter::broadcast(int64_t length, Value scalar) {
  Type type = getType(length);
  if (type == scalar.getType())
    return scalar;
  return vector::BroadcastOp::create(builder, loc, type, scalar);
}

llvm::MaybeAlign VectorEmitter::getAlignment(VectorType type) const {
  if (!aligned)
    return std::nullopt;
  return llvm::Align(sizeof(float) * type.getNumElements());
}

Value VectorEmitter::load(int64_t length, Value memory, Value place) {
  if (auto type = dyn_cast<VectorType>(getType(length)))
    return vector::LoadOp::create(builder, loc, type, memory, place,
                                  /*nontemporal=*/false, getAlignment(type));
  return loadScalar(memory, place);
}

void VectorEmitter::store(Value vector, Value memory, Value place) {
  if (auto type = dyn_cast<VectorType>(vector.getType()))
    vector::StoreOp::create(builder, loc, vector, memory, place,
                            /*nontemporal=*/false, getAlignment(type));
  else
    memref::StoreOp::create(builder, loc, vector, memory, place);
}

/// Vectors of floats with as many bits as `type`.
static VectorType getFloats(VectorType type) {
  return VectorType::get(
      {type.getNumElements() * type.getElementTypeBitWidth() / 32},
      Float32Type::get(type.getContext()));
}

Value VectorEmitter::loadNumbers(VectorType type, Value memory, Value place) {
  VectorType floats = getFloats(type);
  Value words =
      vector::LoadOp::create(builder, loc, floats, memory, place,
                             /*nontemporal=*/false, getAlignment(floats));
  return vector::BitCastOp::create(builder, loc, type, words);
}

void VectorEmitter::storeNumbers(Value numbers, Value memory, Value place) {
  VectorType floats = getFloats(cast<VectorType>(numbers.getType()));
  store(vector::BitCastOp::create(builder, loc, floats, numbers), memory,
        place);
}

ValueRange
VectorEmitter::loop(Value begin, Value end, int64_t step, ValueRange inits,
                    function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  auto loop = scf::ForOp::create(
      builder, loc, begin, end, index(step), inits,
      [&](OpBuilder &, Location, Value i, ValueRange carried) {
        scf::YieldOp::create(builder, loc, body(i, carried));
      });
  return loop.getResults();
}

void VectorEmitter::loop(Value begin, Value end, int64_t step,
                         function_ref<void(Value)> body) {
  loop(begin, end, step, {}, [&](Value i, ValueRange) {
    body(i);
    return SmallVector<Value>();
  });
}

void VectorEmitter::forEach(int64_t count, int64_t step,
                            function_ref<void(Value)> body) {
  if (count > step)
    loop(index(0), index(count), step, body);
  else if (count > 0)
    body(index(0));
}

static Value isEqual(OpBuilder &builder, Location loc, Value a, Value b) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, a, b);
}

Value VectorEmitter::selectEqual(Value a, Value b, Value yes, Value no) {
  return arith::SelectOp::create(builder, loc, isEqual(builder, loc, a, b), yes,
                                 no);
}

void VectorEmitter::ifEqual(Value a, Value b, function_ref<void()> body) {
  Value equal = isEqual(builder, loc, a, b);
  scf::IfOp::create(builder, loc, equal, [&](OpBuilder &, Location) {
    body();
    scf::YieldOp::create(builder, loc);
  });
}

void VectorEmitter::parallel(ValueRange begin, ValueRange end,
                             function_ref<void(ValueRange)> body) {
  SmallVector<Value> steps(begin.size(), index(1));
  scf::ParallelOp::create(
      builder, loc, begin, end, steps,
      [&](OpBuilder &, Location, ValueRange point) { body(point); });
}
