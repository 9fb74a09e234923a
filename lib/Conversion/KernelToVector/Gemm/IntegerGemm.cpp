//===- IntegerGemm.cpp - Matmuls on integers ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IntegerGemm.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

/// Floats near 1.5 2^23 have integer precision: their low bits are the integer.
static constexpr float kInteger = 12582912.0f;
static constexpr int32_t kIntegerBits = 0x4b400000;
/// Rows with a smaller range are zero: steps / range would not be finite.
static constexpr float kSmallestExtent = 2e-35f;

IntegerGemmEmitter::Range IntegerGemmEmitter::getRange(Value row) {
  Value zero = createZero(rowType);
  auto select = [&](arith::CmpFPredicate predicate, Value x, Value last) {
    Value condition = arith::CmpFOp::create(b, predicate, x, last);
    return arith::SelectOp::create(b, condition, x, last);
  };
  auto found = foldRow(row, {zero, zero, zero}, [&](Value x, ValueRange last) {
    return SmallVector<Value>{select(arith::CmpFPredicate::OLT, x, last[0]),
                              select(arith::CmpFPredicate::OGT, x, last[1]),
                              vector::FMAOp::create(b, x, zero, last[2])};
  });
  auto reduce = [&](vector::CombiningKind kind, Value vector) -> Value {
    return vector::ReductionOp::create(b, kind, vector);
  };
  // Bitwise OR of the lanes: 0 if all numbers are finite, else a NaN.
  Value nan = reduce(vector::CombiningKind::OR, bitcast(found[2], getI32()));
  return {reduce(vector::CombiningKind::MINNUMF, found[0]),
          reduce(vector::CombiningKind::MAXNUMF, found[1]),
          arith::BitcastOp::create(b, getF32(), nan)};
}

IntegerGemmEmitter::Scaling IntegerGemmEmitter::getScaling(const Range &range) {
  Value minusSmallest = arith::NegFOp::create(b, range.smallest);
  Value extent = add(range.largest, minusSmallest);
  Value scale = add(multiply(extent, constant(1 / getSteps())), range.nan);
  Value isZero = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, extent,
                                       constant(kSmallestExtent));
  Value factor = arith::SelectOp::create(
      b, isZero, constant(0),
      arith::DivFOp::create(b, constant(getSteps()), extent));
  return {factor,
          add(multiply(minusSmallest, factor),
              constant(kInteger - getShift().before)),
          scale};
}

void IntegerGemmEmitter::storeRowNumbers(Value row, const Scaling &scaling) {
  Value minusZero = arith::SubIOp::create(
      b,
      arith::ConstantIntOp::create(b, getI32(),
                                   kIntegerBits + getShift().behind),
      arith::BitcastOp::create(b, getI32(), scaling.offset));
  memref::StoreOp::create(b, scaling.scale, arena, getRowNumberPlace(row, 0));
  memref::StoreOp::create(b, arith::BitcastOp::create(b, getF32(), minusZero),
                          arena, getRowNumberPlace(row, 1));
}

IntegerGemmEmitter::Scaling IntegerGemmEmitter::scaleRow(Value row) {
  Scaling scaling = getScaling(getRange(row));
  storeRowNumbers(row, scaling);
  scaling.factor = vector::BroadcastOp::create(b, rowType, scaling.factor);
  scaling.offset = vector::BroadcastOp::create(b, rowType, scaling.offset);
  return scaling;
}

Value IntegerGemmEmitter::toIntegers(Value x, const Scaling &scaling) {
  Value integers =
      bitcast(add(multiply(x, scaling.factor), scaling.offset), getI32());
  const int64_t shift = getShift().behind;
  return shift
             ? arith::SubIOp::create(b, integers, splatInteger(rowType, shift))
             : integers;
}

void IntegerGemmEmitter::convertRow(Value row, Value place) {
  Scaling scaling = scaleRow(row);
  storeRow(row, place,
           [&](Value x, int64_t, SmallVectorImpl<Value> &) -> Value {
             return arith::TruncIOp::create(b, rowType.clone(getRowType()),
                                            toIntegers(x, scaling));
           });
}

Value IntegerGemmEmitter::loadRowNumber(int64_t number, Value row, int64_t i) {
  Value place = addIndex(b, getRowNumberPlace(row, number), i);
  return vector::BroadcastOp::create(b, vectorType,
                                     memref::LoadOp::create(b, arena, place));
}

Value IntegerGemmEmitter::beginSum(const Panel &panel, Value row, int64_t i,
                                   int64_t v) {
  Value minusZero = loadRowNumber(1, row, i);
  return arith::MulIOp::create(
      b, bitcast(minusZero, getI32()),
      bitcast(loadColumns(panel, operands.sums, v), getI32()));
}

Value IntegerGemmEmitter::finishSum(const Panel &panel, Value row, int64_t i,
                                    int64_t v, Value sum) {
  Value rowScale = loadRowNumber(0, row, i);
  Value scale = arith::MulFOp::create(b, rowScale,
                                      loadColumns(panel, operands.scales, v));
  return vector::FMAOp::create(b, arith::SIToFPOp::create(b, vectorType, sum),
                               scale, getStart(panel, row, i, v));
}
