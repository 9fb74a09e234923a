//===- Int16Gemm.cpp - Matmuls on 16-bit integers -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows are quantised to integers from 0 to 4095. In the quantised weights of a
// column, neither the positive nor the negative integers sum up to 2^19 or
// more. So every final sum of products fits 32 bits, whatever the rows are;
// partial sums wrap around.
//
//===----------------------------------------------------------------------===//

#include "IntegerGemm.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::kernel;

namespace {
class Int16GemmEmitter : public IntegerGemmEmitter {
public:
  using IntegerGemmEmitter::IntegerGemmEmitter;

protected:
  float getSteps() const override { return 4094.99f; }
  Type getRowType() override { return b.getI16Type(); }
  Value addProduct(Element element, Value column, Value sum) override;

private:
  /// The first or the second integer of each word, as a 32-bit integer.
  Value getNumber(Value words, bool second);
};
} // namespace

Value Int16GemmEmitter::getNumber(Value words, bool second) {
  words = bitcast(words, getI32());
  Value sixteen = splatInteger(vectorType, 16);
  if (!second)
    words = arith::ShLIOp::create(b, words, sixteen);
  return arith::ShRSIOp::create(b, words, sixteen);
}

Value Int16GemmEmitter::addProduct(Element element, Value column, Value sum) {
  if (DotProductAttr instruction = target.getDotProduct(Precision::Int16))
    return addDotProduct(instruction, b.getI16Type(), element, column, sum);
  if (StringAttr intrinsic = target.getPairProducts()) {
    Value rows = bitcast(element.numbers, b.getI16Type()),
          columns = bitcast(column, b.getI16Type());
    Value product = LLVM::CallIntrinsicOp::create(b, sum.getType(), intrinsic,
                                                  ValueRange{rows, columns})
                        .getResult(0);
    return arith::AddIOp::create(b, sum, product);
  }
  for (bool second : {false, true}) {
    Value product = arith::MulIOp::create(b, getNumber(element.numbers, second),
                                          getNumber(column, second));
    sum = arith::AddIOp::create(b, sum, product);
  }
  return sum;
}

std::unique_ptr<GemmEmitter>
kernel::createInt16GemmEmitter(const GemmOperands &operands, TargetAttr target,
                               const ImplicitLocOpBuilder &b) {
  return std::make_unique<Int16GemmEmitter>(operands, target, b);
}
