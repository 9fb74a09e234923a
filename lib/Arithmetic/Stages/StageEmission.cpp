//===- StageEmission.cpp - Code of a component's grid-wide phases ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Arithmetic/StagedInterface.h"
#include "nnet3/Arithmetic/StatisticsInterface.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::nnet3;

#include "nnet3/Arithmetic/StagedInterface.cpp.inc"
#include "nnet3/Arithmetic/StatisticsInterface.cpp.inc"

Value StageEmission::loadFrom(Value memory, ValueRange place) {
  return memref::LoadOp::create(builder, loc, memory, place);
}

void StageEmission::storeTo(Value element, Value memory, ValueRange place) {
  memref::StoreOp::create(builder, loc, element, memory, place);
}

void StageEmission::prefetchElement(Value matrix, Value column) {
  memref::PrefetchOp::create(builder, loc, matrix, ValueRange{row, column},
                             /*isWrite=*/false, /*localityHint=*/3,
                             /*isDataCache=*/true);
}

void StageEmission::store(Value element, Value column) {
  if (operands.adds)
    element = add(loadStored(column), element);
  storeTo(element, operands.stored, {row, column});
}

Value StageEmission::loadTable(unsigned number, Value place) {
  return create<arith::IndexCastOp>(builder.getIndexType(),
                                    loadFrom(operands.indexes[number], place));
}

Value StageEmission::drawBits(Value position) {
  const SmallVector<Value> four = drawFour(position);
  Value lane = remainder(position, 4);
  Value bits = four[3];
  for (int64_t i = 2; i >= 0; --i)
    bits = select(isEqual(lane, index(i)), four[i], bits);
  return bits;
}

/// The state holds the two halves of the seed, the number of the run, and the
/// mode: 0 for random bits, 1 for all zeros, 2 for all ones. `position` is
/// rounded down to a multiple of four.
SmallVector<Value> StageEmission::drawFour(Value position) {
  Value low = loadWord(*this, operands.random, index(0)),
        high = loadWord(*this, operands.random, index(1)),
        run = loadWord(*this, operands.random, index(2)),
        draws = loadWord(*this, operands.random, index(3));
  if (command.seedOffset) {
    Value offset = arith::ConstantIntOp::create(
        builder, loc, builder.getI64Type(), int64_t(command.seedOffset));
    std::tie(low, high) = splitWords(
        *this, create<arith::AddIOp>(joinWords(*this, low, high), offset));
  }
  Value number =
      create<arith::IndexCastOp>(builder.getI32Type(), operands.command);
  SmallVector<Value> four =
      createRandomBits(builder, loc, {low, high}, run, number, position);
  auto word = [&](int32_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, builder.getI32Type(),
                                        value);
  };
  Value isNormal =
      create<arith::CmpIOp>(arith::CmpIPredicate::eq, draws, word(0));
  Value stuck = create<arith::SubIOp>(word(1), draws);
  for (Value &bits : four)
    bits = create<arith::SelectOp>(isNormal, bits, stuck);
  return four;
}

Value StageEmission::getUniform(Value bits) {
  Value eight = arith::ConstantIntOp::create(builder, loc, 8, 32);
  Value number = arith::SIToFPOp::create(
      builder, loc, builder.getF32Type(),
      arith::ShRUIOp::create(builder, loc, bits, eight));
  return multiply(number, this->number(1.0f / 16777216));
}

Value StageEmission::draw(Value position) {
  return getUniform(drawBits(position));
}

void StageEmission::forEachDrawn(int64_t count, Value first,
                                 function_ref<void(Value, Value)> body) {
  if (getDrawingThreads(count) == count)
    return forEach(
        count, [&](Value column) { body(column, draw(shift(first, column))); });
  forEach(count / 4, [&](Value group) {
    Value column = at(group, 4, index(0));
    const SmallVector<Value> bits = drawFour(shift(first, column));
    for (int64_t i = 0; i < 4; ++i)
      body(shift(column, i), getUniform(bits[i]));
  });
}

Value StageEmission::drawInteger(Value position, int64_t last) {
  auto constant = [&](int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  };
  Value bits = arith::ExtUIOp::create(builder, loc, builder.getI64Type(),
                                      drawBits(position));
  Value product = arith::MulIOp::create(builder, loc, bits, constant(last + 1));
  return arith::IndexCastOp::create(
      builder, loc, builder.getIndexType(),
      arith::ShRUIOp::create(builder, loc, product, constant(32)));
}

void StageEmission::ifTrue(Value condition, function_ref<void()> body) {
  scf::IfOp::create(builder, loc, condition,
                    [&](OpBuilder &builder, Location loc) {
                      body();
                      scf::YieldOp::create(builder, loc);
                    });
}

SmallVector<Value> mlir::nnet3::createRandomBits(OpBuilder &builder,
                                                 Location loc, ValueRange seed,
                                                 Value run, Value command,
                                                 Value position) {
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  auto constant = [&](uint32_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, i32, int32_t(value));
  };
  auto exclusiveOr = [&](Value a, Value b) -> Value {
    return arith::XOrIOp::create(builder, loc, a, b);
  };
  Value at = arith::IndexCastOp::create(builder, loc, i64, position);
  auto shifted = [&](Value x, int64_t bits) -> Value {
    return arith::ShRUIOp::create(
        builder, loc, x, arith::ConstantIntOp::create(builder, loc, bits, 64));
  };
  auto narrow = [&](Value x) -> Value {
    return arith::TruncIOp::create(builder, loc, i32, x);
  };
  Value c[] = {narrow(shifted(at, 2)), narrow(shifted(at, 34)), command, run};
  Value key[] = {seed[0], seed[1]};
  for (int round = 0; round < 10; ++round) {
    auto a = arith::MulUIExtendedOp::create(builder, loc, c[0],
                                            constant(0xD2511F53u));
    auto b = arith::MulUIExtendedOp::create(builder, loc, c[2],
                                            constant(0xCD9E8D57u));
    c[0] = exclusiveOr(exclusiveOr(b.getHigh(), c[1]), key[0]);
    c[1] = b.getLow();
    c[2] = exclusiveOr(exclusiveOr(a.getHigh(), c[3]), key[1]);
    c[3] = a.getLow();
    key[0] = arith::AddIOp::create(builder, loc, key[0], constant(0x9E3779B9u));
    key[1] = arith::AddIOp::create(builder, loc, key[1], constant(0xBB67AE85u));
  }
  return {c[0], c[1], c[2], c[3]};
}
