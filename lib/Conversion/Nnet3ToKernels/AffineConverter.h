//===- AffineConverter.h - Affine commands as matmuls -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_AFFINECONVERTER_H
#define NNET3_CONVERSION_NNET3TOKERNELS_AFFINECONVERTER_H

#include "CommandContext.h"

namespace mlir::nnet3 {

/// Some rows of the input and of the output.
struct RowSpan {
  int64_t begin, count;
};

/// Makes matmuls of affine commands: there is one such class for CPUs and one
/// for devices.
class AffineConverter {
public:
  explicit AffineConverter(CommandContext &context) : context(context) {}
  virtual ~AffineConverter() = default;

  /// The products, and what happens to their sums.
  virtual void convert(FusedAffineOp op) = 0;
  /// The products of factors of `rows`, which are side by side at `factors`,
  /// and the weights of `affine`, as the first columns of the output.
  virtual void addProduct(PropagateOp op, AffineKernelInterface affine,
                          int64_t numFactors, int64_t factors,
                          RowSpan rows) = 0;

protected:
  /// Views of the vectors of the steps of an epilogue.
  SmallVector<Value> createStepVectors(FusedAffineOp op);
  /// An element of the output: what the steps of `op` compute from a sum and
  /// from elements of their vectors, plus that of the residual, if there is
  /// one.
  Value createEpilogue(OpBuilder &builder, FusedAffineOp op, Value sum,
                       ValueRange elements);

  CommandContext &context;

private:
  ElementwiseKernelInterface getElementwise(SymbolRefAttr name);
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_AFFINECONVERTER_H
