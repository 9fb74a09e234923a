//===- Int8Gemm.cpp - Matrix products of integers -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row x of the inputs becomes integers q from 0 to 254 with a scale s and a
// zero z, x = s (q - z), so that its smallest and its largest number, and zero,
// are among them. A column w of the output becomes integers r from -127 to 127
// with a scale t. Then x w = s t (sum_k q_k r_k - z sum_k r_k); the sums begin
// with the second part. Where the instruction takes signed factors only, q and
// z are less by 128.
//
//===----------------------------------------------------------------------===//

#include "Int8Gemm.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

/// Numbers of the size of 1.5 2^23 are integers, and their last bits count.
static constexpr float kInteger = 12582912.0f;
static constexpr int32_t kIntegerBits = 0x4b400000;
/// The largest q. It is less than 254 by so much that rounding z does not make
/// it 255.
static constexpr float kSteps = 253.9999f;
/// What q and z are less by for instructions with signed factors.
static constexpr float kSignedShift = 128.0f;
/// Rows that extend over less are zeros: kSteps over that is finite.
static constexpr float kSmallestExtent = 1e-35f;

Int8GemmEmitter::Range Int8GemmEmitter::getRange(Value row) {
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
  // All bits of the numbers that are not 0.
  Value nan = reduce(vector::CombiningKind::OR, bitcast(found[2], getI32()));
  return {reduce(vector::CombiningKind::MINNUMF, found[0]),
          reduce(vector::CombiningKind::MAXNUMF, found[1]),
          arith::BitcastOp::create(b, getF32(), nan)};
}

Int8GemmEmitter::Scaling Int8GemmEmitter::getScaling(const Range &range) {
  Value minusSmallest = arith::NegFOp::create(b, range.smallest);
  Value extent = add(range.largest, minusSmallest);
  Value scale = add(multiply(extent, constant(1 / kSteps)), range.nan);
  Value isZero = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, extent,
                                       constant(kSmallestExtent));
  Value factor = arith::SelectOp::create(
      b, isZero, constant(0),
      arith::DivFOp::create(b, constant(kSteps), extent));
  return {factor,
          add(multiply(minusSmallest, factor),
              constant(kInteger - getShift().before)),
          scale};
}

Int8GemmEmitter::Shift Int8GemmEmitter::getShift() const {
  DotProductAttr instruction = target.getDotProduct(Precision::Int8);
  const bool isSigned = instruction && !instruction.getFirstUnsigned();
  return {isSigned ? kSignedShift : 0, 0};
}

void Int8GemmEmitter::storeRowNumbers(Value row, const Scaling &scaling) {
  Value minusZero = arith::SubIOp::create(
      b,
      arith::ConstantIntOp::create(b, getI32(),
                                   kIntegerBits + getShift().behind),
      arith::BitcastOp::create(b, getI32(), scaling.offset));
  memref::StoreOp::create(b, scaling.scale, arena, getRowNumberPlace(row, 0));
  memref::StoreOp::create(b, arith::BitcastOp::create(b, getF32(), minusZero),
                          arena, getRowNumberPlace(row, 1));
}

Int8GemmEmitter::Scaling Int8GemmEmitter::scaleRow(Value row) {
  Scaling scaling = getScaling(getRange(row));
  storeRowNumbers(row, scaling);
  scaling.factor = vector::BroadcastOp::create(b, rowType, scaling.factor);
  scaling.offset = vector::BroadcastOp::create(b, rowType, scaling.offset);
  return scaling;
}

Value Int8GemmEmitter::toIntegers(Value x, const Scaling &scaling) {
  Value integers =
      bitcast(add(multiply(x, scaling.factor), scaling.offset), getI32());
  const int64_t shift = getShift().behind;
  return shift
             ? arith::SubIOp::create(b, integers, splatInteger(rowType, shift))
             : integers;
}

void Int8GemmEmitter::convertRow(Value row, Value place) {
  Scaling scaling = scaleRow(row);
  storeRow(row, place,
           [&](Value x, int64_t, SmallVectorImpl<Value> &) -> Value {
             return arith::TruncIOp::create(b, rowType.clone(b.getI8Type()),
                                            toIntegers(x, scaling));
           });
}

Value Int8GemmEmitter::loadRowNumber(int64_t number, Value row, int64_t i) {
  Value place = addIndex(b, getRowNumberPlace(row, number), i);
  return vector::BroadcastOp::create(b, vectorType,
                                     memref::LoadOp::create(b, arena, place));
}

Value Int8GemmEmitter::beginSum(const Panel &panel, Value row, int64_t i,
                                int64_t v) {
  Value minusZero = loadRowNumber(1, row, i);
  return arith::MulIOp::create(
      b, bitcast(minusZero, getI32()),
      bitcast(loadColumns(panel, operands.sums, v), getI32()));
}

/// Byte `i` of each word.
Value Int8GemmEmitter::getByte(Value words, int64_t i, bool isSigned) {
  Value up =
      arith::ShLIOp::create(b, words, splatInteger(vectorType, 24 - 8 * i));
  if (isSigned)
    return arith::ShRSIOp::create(b, up, splatInteger(vectorType, 24));
  return arith::ShRUIOp::create(b, up, splatInteger(vectorType, 24));
}

/// Bytes 0 and 2 of each word, or 1 and 3, as integers of 16 bits.
Value Int8GemmEmitter::getBytePairs(Value words, bool odd, bool isSigned) {
  Value pairs = bitcast(words, b.getI16Type());
  auto type = cast<VectorType>(pairs.getType());
  auto splat = [&](int16_t value) -> Value {
    return arith::ConstantOp::create(b, type,
                                     DenseElementsAttr::get(type, value));
  };
  if (odd && isSigned)
    return arith::ShRSIOp::create(b, pairs, splat(8));
  if (odd)
    return arith::ShRUIOp::create(b, pairs, splat(8));
  if (isSigned)
    return arith::ShRSIOp::create(b, arith::ShLIOp::create(b, pairs, splat(8)),
                                  splat(8));
  return arith::AndIOp::create(b, pairs, splat(0xff));
}

Value Int8GemmEmitter::addProduct(Element element, Value column, Value sum) {
  if (DotProductAttr instruction = target.getDotProduct(Precision::Int8))
    return addDotProduct(instruction, b.getI8Type(), element, column, sum);
  if (StringAttr intrinsic = target.getPairProducts()) {
    for (bool odd : {false, true}) {
      Value rows = getBytePairs(element.numbers, odd, /*isSigned=*/false),
            columns = getBytePairs(column, odd, /*isSigned=*/true);
      Value product = LLVM::CallIntrinsicOp::create(b, sum.getType(), intrinsic,
                                                    ValueRange{rows, columns})
                          .getResult(0);
      sum = arith::AddIOp::create(b, sum, product);
    }
    return sum;
  }
  Value words = bitcast(element.numbers, getI32());
  column = bitcast(column, getI32());
  for (int64_t i = 0; i < 4; ++i) {
    Value product = arith::MulIOp::create(b, getByte(words, i, false),
                                          getByte(column, i, true));
    sum = arith::AddIOp::create(b, sum, product);
  }
  return sum;
}

Value Int8GemmEmitter::finishSum(const Panel &panel, Value row, int64_t i,
                                 int64_t v, Value sum) {
  Value rowScale = loadRowNumber(0, row, i);
  Value scale = arith::MulFOp::create(b, rowScale,
                                      loadColumns(panel, operands.scales, v));
  return vector::FMAOp::create(b, arith::SIToFPOp::create(b, vectorType, sum),
                               scale, getStart(panel, row, i, v));
}

std::unique_ptr<GemmEmitter>
kernel::createInt8GemmEmitter(const GemmOperands &operands, TargetAttr target,
                              const ImplicitLocOpBuilder &b) {
  if (target.widens(Precision::Int8))
    return createWideInt8GemmEmitter(operands, target, b);
  return std::make_unique<Int8GemmEmitter>(operands, target, b);
}
