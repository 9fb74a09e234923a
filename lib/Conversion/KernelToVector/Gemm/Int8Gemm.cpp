//===- Int8Gemm.cpp - Matmuls on 8-bit integers ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows are quantised to integers from 0 to 254, the weights of a column to
// integers from -127 to 127. If the instruction takes signed factors only, 128
// is subtracted from the integers of rows.
//
//===----------------------------------------------------------------------===//

#include "IntegerGemm.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

/// Subtracted from q and z for instructions with signed factors.
static constexpr float kSignedShift = 128.0f;

namespace {
class Int8GemmEmitter : public IntegerGemmEmitter {
public:
  using IntegerGemmEmitter::IntegerGemmEmitter;

protected:
  float getSteps() const override { return kInt8Steps; }
  Type getRowType() override { return b.getI8Type(); }
  Shift getShift() const override;
  Value addProduct(Element element, Value column, Value sum) override;

private:
  Value getByte(Value words, int64_t i, bool isSigned);
  Value getBytePairs(Value words, bool odd, bool isSigned);
};
} // namespace

Int8GemmEmitter::Shift Int8GemmEmitter::getShift() const {
  DotProductAttr instruction = target.getDotProduct(Precision::Int8);
  const bool isSigned = instruction && !instruction.getFirstUnsigned();
  return {isSigned ? kSignedShift : 0, 0};
}

/// Extracts byte `i` of each word.
Value Int8GemmEmitter::getByte(Value words, int64_t i, bool isSigned) {
  Value up =
      arith::ShLIOp::create(b, words, splatInteger(vectorType, 24 - 8 * i));
  if (isSigned)
    return arith::ShRSIOp::create(b, up, splatInteger(vectorType, 24));
  return arith::ShRUIOp::create(b, up, splatInteger(vectorType, 24));
}

/// Extracts bytes 0 and 2 of each word, or 1 and 3, as 16-bit integers.
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

std::unique_ptr<GemmEmitter>
kernel::createInt8GemmEmitter(const GemmOperands &operands, TargetAttr target,
                              const ImplicitLocOpBuilder &b) {
  if (target.widens(Precision::Int8))
    return createWideInt8GemmEmitter(operands, target, b);
  return std::make_unique<Int8GemmEmitter>(operands, target, b);
}
