//===- Bf16Gemm.cpp - Matmuls on bf16 -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bf16 is the upper half of f32. Accumulators are f32.
//
//===----------------------------------------------------------------------===//

#include "ReducedGemm.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

namespace {
class Bf16GemmEmitter : public ReducedGemmEmitter {
public:
  using ReducedGemmEmitter::ReducedGemmEmitter;

protected:
  void convertRow(Value row, Value place) override {
    storeRow(row, place,
             [&](Value x, int64_t columns, SmallVectorImpl<Value> &) {
               return round(x, columns);
             });
  }
  Value addProduct(Element element, Value column, Value sum) override;

private:
  Value round(Value x, int64_t columns);
  Value getLower(Value words);
  Value getUpper(Value words);
};
} // namespace

/// Rounds to the nearest bf16, ties to even; NaN stays NaN. Vectors that are
/// not full are rounded as integers: LLVM 22 would merge the conversions of two
/// inputs into a bf16 vector for which the target has no instruction.
Value Bf16GemmEmitter::round(Value x, int64_t columns) {
  if (target.getDotProduct(Precision::BF16) && columns == rowLength)
    return arith::TruncFOp::create(b, rowType.clone(b.getBF16Type()), x);
  Value bits = bitcast(x, getI32());
  Value odd = arith::AndIOp::create(
      b, arith::ShRUIOp::create(b, bits, splatInteger(rowType, 16)),
      splatInteger(rowType, 1));
  Value rounded = arith::AddIOp::create(b, arith::AddIOp::create(b, bits, odd),
                                        splatInteger(rowType, 0x7fff));
  Value isNumber = arith::CmpFOp::create(b, arith::CmpFPredicate::ORD, x, x);
  Value quiet = arith::OrIOp::create(b, bits, splatInteger(rowType, 0x400000));
  Value result = arith::SelectOp::create(b, isNumber, rounded, quiet);
  return arith::TruncIOp::create(
      b, rowType.clone(b.getI16Type()),
      arith::ShRUIOp::create(b, result, splatInteger(rowType, 16)));
}

Value Bf16GemmEmitter::getLower(Value words) {
  return bitcast(arith::ShLIOp::create(b, bitcast(words, getI32()),
                                       splatInteger(vectorType, 16)),
                 getF32());
}

Value Bf16GemmEmitter::getUpper(Value words) {
  return bitcast(arith::AndIOp::create(b, bitcast(words, getI32()),
                                       splatInteger(vectorType, -0x10000)),
                 getF32());
}

Value Bf16GemmEmitter::addProduct(Element element, Value column, Value sum) {
  if (DotProductAttr instruction = target.getDotProduct(Precision::BF16))
    return addDotProduct(instruction, b.getBF16Type(), element, column, sum);
  sum = GemmEmitter::addProduct({getUpper(element.numbers), element.lane},
                                getUpper(column), sum);
  return GemmEmitter::addProduct({getLower(element.numbers), element.lane},
                                 getLower(column), sum);
}

std::unique_ptr<GemmEmitter>
kernel::createBf16GemmEmitter(const GemmOperands &operands, TargetAttr target,
                              const ImplicitLocOpBuilder &b) {
  return std::make_unique<Bf16GemmEmitter>(operands, target, b);
}
