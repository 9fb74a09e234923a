//===- IntegerGemm.h - Matrix products of integers --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row x of the inputs becomes integers q from 0 on with a scale s and a zero
// z, x = s (q - z), so that its smallest and its largest number, and zero, are
// among them. A column w of the output becomes integers r with a scale t. Then
// x w = s t (sum_k q_k r_k - z sum_k r_k); the sums begin with the second part.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_INTEGERGEMM_H
#define NNET3_CONVERSION_KERNELTOVECTOR_INTEGERGEMM_H

#include "ReducedGemm.h"

namespace mlir::nnet3::kernel {

/// The steps of int8, whose largest q is 254.
constexpr float kInt8Steps = 253.9999f;

/// What int8 and int16 have in common.
class IntegerGemmEmitter : public ReducedGemmEmitter {
public:
  using ReducedGemmEmitter::ReducedGemmEmitter;

protected:
  /// What the integers of a row depend on, numbers.
  struct Range {
    Value smallest, largest; ///< zero is between them
    Value nan;               ///< not-a-number if one is not finite, else 0
  };
  /// The last bits of x `factor` + `offset` are x as an integer.
  struct Scaling {
    Value factor, offset, scale;
  };

  /// How many scales a row extends over: less than the largest q by so much
  /// that rounding z does not make q larger.
  virtual float getSteps() const = 0;
  /// The type of q in a word.
  virtual Type getRowType() = 0;
  /// The integers of a row are less than those from 0 on by the sum of both. An
  /// even number is subtracted before they are rounded to even, so that all
  /// targets have the same integers; the other one behind that.
  struct Shift {
    float before;
    int64_t behind;
  };
  virtual Shift getShift() const { return {0, 0}; }
  /// The scaling of row `row`, which is stored with the row's numbers.
  Scaling scaleRow(Value row);
  void convertRow(Value row, Value place) override;
  /// x as integers of 32 bits, of which the last ones count.
  Value toIntegers(Value x, const Scaling &scaling);
  /// Each row has a few numbers, such as its scale. Loads number `number` of
  /// row `row` + `i` into all lanes.
  Value loadRowNumber(int64_t number, Value row, int64_t i);
  Value beginSum(const Panel &panel, Value row, int64_t i, int64_t v) override;
  Value finishSum(const Panel &panel, Value row, int64_t i, int64_t v,
                  Value sum) override;

private:
  Range getRange(Value row);
  Scaling getScaling(const Range &range);
  void storeRowNumbers(Value row, const Scaling &scaling);
  Value add(Value x, Value y) { return arith::AddFOp::create(b, x, y); }
  Value multiply(Value x, Value y) { return arith::MulFOp::create(b, x, y); }
  Value constant(float value) {
    return arith::ConstantOp::create(b, b.getF32FloatAttr(value));
  }
};

/// The emitter of int8 for targets that widen the integers of both factors to
/// 16 bits.
std::unique_ptr<GemmEmitter>
createWideInt8GemmEmitter(const GemmOperands &operands, TargetAttr target,
                          const ImplicitLocOpBuilder &b);

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOVECTOR_INTEGERGEMM_H
