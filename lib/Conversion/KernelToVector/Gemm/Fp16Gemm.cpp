//===- Fp16Gemm.cpp - Matmuls with fp16 weights ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights are stored as fp16 and extended to f32 when they are loaded;
// everything else is f32. A panel row stores the low halves of all words before
// the high halves (two planes), so that neighbouring columns are extended
// together, once for all rows of a tile.
//
//===----------------------------------------------------------------------===//

#include "GemmEmitter.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

/// Bits of fp16: the sign, the rest, and the exponent bits. f32 has 13 more
/// mantissa bits, and its exponents are larger by 112.
static constexpr int64_t kSign = 0x8000, kSize = 0x7fff, kInfinity = 0x7c00;
static constexpr int64_t kMoreBits = 13;
static constexpr float kScale = 0x1p112f;
static constexpr int64_t kLargeExponent = 0x7f800000;

namespace {
class Fp16GemmEmitter : public GemmEmitter {
public:
  using GemmEmitter::GemmEmitter;

protected:
  Value getPanelRow(const Panel &panel, const GemmInput &part,
                    Value k) override;
  Value loadFactors(const Panel &panel, Value place, int64_t v) override;

private:
  Value extend(Value halves);
  Value splat(int64_t value) {
    auto type = cast<VectorType>(vectorType.clone(b.getI32Type()));
    return arith::ConstantOp::create(
        b, type, DenseElementsAttr::get(type, APInt(32, value)));
  }
};
} // namespace

/// A plane is half as wide as a row of words.
Value Fp16GemmEmitter::getPanelRow(const Panel &panel, const GemmInput &part,
                                   Value k) {
  const int64_t width = shape.tile.getPanelWidth(target);
  Value place = addIndex(b, panel.weights, part.first * width);
  return addIndex(b, place, mulIndex(b, k, width / kPlanes));
}

/// Converts fp16 bits to f32 without a conversion instruction: for infinities
/// and NaN, the exponent becomes the largest one.
Value Fp16GemmEmitter::extend(Value halves) {
  Value bits =
      arith::ExtUIOp::create(b, vectorType.clone(b.getI32Type()), halves);
  Value size = arith::AndIOp::create(b, bits, splat(kSize));
  Value scaled = arith::MulFOp::create(
      b,
      vector::BitCastOp::create(
          b, vectorType, arith::ShLIOp::create(b, size, splat(kMoreBits))),
      arith::ConstantOp::create(b, vectorType,
                                DenseElementsAttr::get(vectorType, kScale)));
  Value isSpecial = arith::CmpIOp::create(b, arith::CmpIPredicate::uge, size,
                                          splat(kInfinity));
  Value exponent =
      arith::SelectOp::create(b, isSpecial, splat(kLargeExponent), splat(0));
  Value sign = arith::ShLIOp::create(
      b, arith::AndIOp::create(b, bits, splat(kSign)), splat(16));
  Value result = arith::OrIOp::create(
      b, vector::BitCastOp::create(b, vectorType.clone(b.getI32Type()), scaled),
      arith::OrIOp::create(b, sign, exponent));
  return vector::BitCastOp::create(b, vectorType, result);
}

Value Fp16GemmEmitter::loadFactors(const Panel &panel, Value place, int64_t v) {
  Value halves = loadPlane(panel, place, v);
  if (!target.getConvertsHalves())
    return extend(halves);
  Value numbers =
      vector::BitCastOp::create(b, vectorType.clone(b.getF16Type()), halves);
  return arith::ExtFOp::create(b, vectorType, numbers);
}

std::unique_ptr<GemmEmitter>
kernel::createFp16GemmEmitter(const GemmOperands &operands, TargetAttr target,
                              const ImplicitLocOpBuilder &b) {
  return std::make_unique<Fp16GemmEmitter>(operands, target, b);
}
