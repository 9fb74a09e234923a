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

/// Lowers affine commands to matmuls. CPUs and devices have a subclass each.
class AffineConverter {
public:
  explicit AffineConverter(CommandContext &context) : context(context) {}
  virtual ~AffineConverter() = default;

  /// Converts the matmuls of `op` and its epilogue.
  virtual void convert(FusedAffineOp op) = 0;
  /// Adds the matmul of the factors of `rows`, which are stored side by side at
  /// offset `factors`, with the weights of `affine`. It writes the first
  /// columns of the output.
  virtual void addProduct(PropagateOp op, AffineKernelInterface affine,
                          int64_t numFactors, int64_t factors,
                          RowSpan rows) = 0;

protected:
  /// Creates views of the per-column constants of the epilogue's steps.
  SmallVector<Value> createStepVectors(FusedAffineOp op);
  /// Computes an element of the output: applies the steps of `op` to an
  /// accumulator and elements of their constants, then adds that of the
  /// residual, if there is one.
  Value createEpilogue(OpBuilder &builder, FusedAffineOp op, Value sum,
                       ValueRange elements);

  CommandContext &context;

private:
  ElementwiseKernelInterface getElementwise(SymbolRefAttr name);
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_AFFINECONVERTER_H
