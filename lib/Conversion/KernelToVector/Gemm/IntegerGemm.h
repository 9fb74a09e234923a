//===- IntegerGemm.h - Matmuls on integers ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row x of the inputs is quantised to integers q >= 0 with scale s and zero
// point z, x = s (q - z), such that its smallest and largest number and zero
// are representable. A weight column w is quantised to integers r with scale t.
// Then x w = s t (sum_k q_k r_k - z sum_k r_k); the accumulators start with the
// second term.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_GEMM_INTEGERGEMM_H
#define NNET3_CONVERSION_KERNELTOVECTOR_GEMM_INTEGERGEMM_H

#include "ReducedGemm.h"

namespace mlir::nnet3::kernel {

/// Number of quantisation steps of int8, whose largest q is 254.
constexpr float kInt8Steps = 253.9999f;

/// Base class of int8 and int16.
class IntegerGemmEmitter : public ReducedGemmEmitter {
public:
  using ReducedGemmEmitter::ReducedGemmEmitter;

protected:
  /// The range of a row, which determines its quantisation.
  struct Range {
    Value smallest, largest; ///< zero lies in between
    Value nan;               ///< NaN if a number is not finite, else 0
  };
  /// The low bits of x `factor` + `offset` are the quantised x.
  struct Scaling {
    Value factor, offset, scale;
  };

  /// Number of quantisation steps in the range of a row: slightly less than the
  /// largest q, so that rounding z cannot push q above it.
  virtual float getSteps() const = 0;
  /// The element type of q in a word.
  virtual Type getRowType() = 0;
  /// Integers of a row are stored minus the sum of both numbers. `before` is
  /// even and subtracted before rounding to nearest even, so that all targets
  /// compute the same integers; `behind` is subtracted after it.
  struct Shift {
    float before;
    int64_t behind;
  };
  virtual Shift getShift() const { return {0, 0}; }
  /// Computes the scaling of row `row` and stores it with the row's numbers.
  Scaling scaleRow(Value row);
  void convertRow(Value row, Value place) override;
  /// Quantises x to 32-bit integers, of which only the low bits are valid.
  Value toIntegers(Value x, const Scaling &scaling);
  /// Loads number `number` of row `row` + `i`, such as its scale, into all
  /// lanes.
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

/// Creates the int8 emitter for targets that widen both factors to 16 bits.
std::unique_ptr<GemmEmitter>
createWideInt8GemmEmitter(const GemmOperands &operands, TargetAttr target,
                          const ImplicitLocOpBuilder &b);

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOVECTOR_GEMM_INTEGERGEMM_H
