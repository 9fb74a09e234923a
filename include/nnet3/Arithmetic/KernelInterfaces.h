//===- KernelInterfaces.h - Components as generated code --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_KERNELINTERFACES_H
#define NNET3_ARITHMETIC_KERNELINTERFACES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpDefinition.h"

namespace mlir::nnet3 {
class RowEmission;

/// Rows of the input that a row of the output depends on.
enum class RowReads {
  One,    ///< the row with the same number
  Range,  ///< rows from `begins` to `ends` of the precomputed attribute
  Shifted ///< the same row and later ones, `row_shift` rows apart
};

/// One of the matmuls whose sum an affine component computes.
struct AffineTerm {
  int64_t time;    ///< number of the time offset of the input rows
  int64_t input;   ///< first column of the input
  int64_t weights; ///< first column of the weights
  int64_t columns; ///< number of columns of both
};

} // namespace mlir::nnet3

#include "nnet3/Arithmetic/KernelInterfaces.h.inc"

namespace mlir::nnet3 {

/// Returns the per-column constants of `op`, an ElementwiseKernelInterface,
/// BlockKernelInterface or RowKernelInterface; fails if they depend on
/// parameters without values.
FailureOr<SmallVector<SmallVector<float>>> getColumnConstants(Operation *op);

/// Returns the values of parameter `name` of `op`, repeated to `size` values;
/// fails if the parameter has no values in memory.
FailureOr<SmallVector<float>> getTensorVector(Operation *op, StringRef name,
                                              int64_t size);

/// Whether code can be generated for all of `component`'s forward pass, for a
/// device or for CPUs.
bool hasKernel(Operation *component, bool device);

/// Attaches the interfaces to the component ops that have generated code.
void registerKernelModels(DialectRegistry &registry);

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_KERNELINTERFACES_H
