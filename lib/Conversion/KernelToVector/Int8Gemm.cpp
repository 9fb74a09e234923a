//===- Int8Gemm.cpp - Matrix products of integers -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row x of the inputs becomes integers q from 0 to 255 with a scale s and a
// zero z, x = s (q - z), so that its smallest and its largest number, and zero,
// are among them. A column w of the output becomes integers r from -127 to 127
// with a scale t. Then x w = s t (sum_k q_k r_k - z sum_k r_k); the sums begin
// with the second part.
//
//===----------------------------------------------------------------------===//

#include "ReducedGemm.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

/// Numbers of the size of 1.5 2^23 are integers, and their last bits count.
static constexpr float kInteger = 12582912.0f;
static constexpr int32_t kIntegerBits = 0x4b400000;
/// One less than the largest q, as both it and z are rounded.
static constexpr float kSteps = 254.0f;
/// Rows that extend over less are zeros: kSteps over that is finite.
static constexpr float kSmallestExtent = 1e-35f;

namespace {
class Int8GemmEmitter : public ReducedGemmEmitter {
public:
  using ReducedGemmEmitter::ReducedGemmEmitter;

protected:
  void convertRow(Value row, Value place) override;
  Value getZeroSum() override { return splatInteger(0); }
  Value beginSum(const Panel &panel, Value row, int64_t i, int64_t v) override;
  Value addProduct(Value element, Value column, Value sum) override;
  Value addSums(Value a, Value b) override {
    return arith::AddIOp::create(e.getBuilder(), e.getLoc(), a, b);
  }
  Value finishSum(const Panel &panel, Value row, int64_t i, int64_t v,
                  Value sum) override;

private:
  /// What the integers of a row depend on, numbers.
  struct Range {
    Value smallest, largest; ///< zero is between them
    Value nan;               ///< not-a-number if one is not finite, else 0
  };
  /// The last bits of x `factor` + `offset` are x as an integer.
  struct Scaling {
    Value factor, offset, scale;
  };
  Range getRange(Value row);
  Scaling getScaling(const Range &range);
  void storeRowNumbers(Value row, const Scaling &scaling);
  Value add(Value a, Value b) {
    return arith::AddFOp::create(e.getBuilder(), e.getLoc(), a, b);
  }
  Value multiply(Value a, Value b) {
    return arith::MulFOp::create(e.getBuilder(), e.getLoc(), a, b);
  }
  Value constant(float value) {
    return arith::ConstantOp::create(e.getBuilder(), e.getLoc(),
                                     e.getBuilder().getF32FloatAttr(value));
  }
  Value getByte(Value words, int64_t i, bool isSigned);
};
} // namespace

Int8GemmEmitter::Range Int8GemmEmitter::getRange(Value row) {
  OpBuilder &builder = e.getBuilder();
  Location loc = e.getLoc();
  Value zero = e.splat(target.getVectorLength(), 0);
  auto select = [&](arith::CmpFPredicate predicate, Value x, Value last) {
    Value condition = arith::CmpFOp::create(builder, loc, predicate, x, last);
    return arith::SelectOp::create(builder, loc, condition, x, last);
  };
  auto found = foldRow(row, {zero, zero, zero}, [&](Value x, ValueRange last) {
    return SmallVector<Value>{
        select(arith::CmpFPredicate::OLT, x, last[0]),
        select(arith::CmpFPredicate::OGT, x, last[1]),
        vector::FMAOp::create(builder, loc, x, zero, last[2])};
  });
  auto reduce = [&](vector::CombiningKind kind, Value vector) -> Value {
    return vector::ReductionOp::create(builder, loc, kind, vector);
  };
  // All bits of the numbers that are not 0.
  Value nan = reduce(vector::CombiningKind::OR, bitcast(found[2], getI32()));
  return {reduce(vector::CombiningKind::MINNUMF, found[0]),
          reduce(vector::CombiningKind::MAXNUMF, found[1]),
          arith::BitcastOp::create(builder, loc, getF32(), nan)};
}

Int8GemmEmitter::Scaling Int8GemmEmitter::getScaling(const Range &range) {
  OpBuilder &builder = e.getBuilder();
  Location loc = e.getLoc();
  Value minusSmallest = arith::NegFOp::create(builder, loc, range.smallest);
  Value extent = add(range.largest, minusSmallest);
  Value scale = add(multiply(extent, constant(1 / kSteps)), range.nan);
  Value isZero = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT,
                                       extent, constant(kSmallestExtent));
  Value factor = arith::SelectOp::create(
      builder, loc, isZero, constant(0),
      arith::DivFOp::create(builder, loc, constant(kSteps), extent));
  return {factor, add(multiply(minusSmallest, factor), constant(kInteger)),
          scale};
}

void Int8GemmEmitter::storeRowNumbers(Value row, const Scaling &scaling) {
  OpBuilder &builder = e.getBuilder();
  Location loc = e.getLoc();
  Value minusZero = arith::SubIOp::create(
      builder, loc,
      arith::ConstantIntOp::create(builder, loc, getI32(), kIntegerBits),
      arith::BitcastOp::create(builder, loc, getI32(), scaling.offset));
  memref::StoreOp::create(builder, loc, scaling.scale, arena,
                          getRowNumberPlace(row, 0));
  memref::StoreOp::create(
      builder, loc, arith::BitcastOp::create(builder, loc, getF32(), minusZero),
      arena, getRowNumberPlace(row, 1));
}

void Int8GemmEmitter::convertRow(Value row, Value place) {
  Scaling scaling = getScaling(getRange(row));
  storeRowNumbers(row, scaling);
  Value factor = e.broadcast(target.getVectorLength(), scaling.factor);
  Value offset = e.broadcast(target.getVectorLength(), scaling.offset);
  auto bytes =
      VectorType::get({target.getVectorLength()}, e.getBuilder().getI8Type());
  storeRow(row, place, [&](Value x, int64_t) -> Value {
    Value integer = bitcast(add(multiply(x, factor), offset), getI32());
    return arith::TruncIOp::create(e.getBuilder(), e.getLoc(), bytes, integer);
  });
}

Value Int8GemmEmitter::beginSum(const Panel &panel, Value row, int64_t i,
                                int64_t v) {
  Value minusZero =
      e.broadcast(target.getVectorLength(),
                  e.loadScalar(arena, e.add(getRowNumberPlace(row, 1), i)));
  return arith::MulIOp::create(
      e.getBuilder(), e.getLoc(), bitcast(minusZero, getI32()),
      bitcast(loadColumns(panel, operands.sums, v), getI32()));
}

/// Byte `i` of each word.
Value Int8GemmEmitter::getByte(Value words, int64_t i, bool isSigned) {
  OpBuilder &builder = e.getBuilder();
  Location loc = e.getLoc();
  Value up =
      arith::ShLIOp::create(builder, loc, words, splatInteger(24 - 8 * i));
  if (isSigned)
    return arith::ShRSIOp::create(builder, loc, up, splatInteger(24));
  return arith::ShRUIOp::create(builder, loc, up, splatInteger(24));
}

Value Int8GemmEmitter::addProduct(Value element, Value column, Value sum) {
  OpBuilder &builder = e.getBuilder();
  Location loc = e.getLoc();
  if (DotProductAttr instruction = target.getDotProduct(Precision::Int8))
    return addDotProduct(instruction, builder.getI8Type(), element, column,
                         sum);
  element = bitcast(element, getI32());
  column = bitcast(column, getI32());
  for (int64_t i = 0; i < 4; ++i) {
    Value product = arith::MulIOp::create(
        builder, loc, getByte(element, i, false), getByte(column, i, true));
    sum = arith::AddIOp::create(builder, loc, sum, product);
  }
  return sum;
}

Value Int8GemmEmitter::finishSum(const Panel &panel, Value row, int64_t i,
                                 int64_t v, Value sum) {
  OpBuilder &builder = e.getBuilder();
  Location loc = e.getLoc();
  auto type = VectorType::get({target.getVectorLength()}, getF32());
  Value rowScale =
      e.broadcast(target.getVectorLength(),
                  e.loadScalar(arena, e.add(getRowNumberPlace(row, 0), i)));
  Value scale = arith::MulFOp::create(builder, loc, rowScale,
                                      loadColumns(panel, operands.scales, v));
  return vector::FMAOp::create(builder, loc,
                               arith::SIToFPOp::create(builder, loc, type, sum),
                               scale, getStart(panel, row, v));
}

std::unique_ptr<GemmEmitter>
kernel::createInt8GemmEmitter(const GemmOperands &operands, TargetAttr target,
                              OpBuilder &builder, Location loc) {
  return std::make_unique<Int8GemmEmitter>(operands, target, builder, loc);
}
