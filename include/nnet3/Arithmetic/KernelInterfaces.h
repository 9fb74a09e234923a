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
  Range,  ///< those from `begins` to `ends` of what is precomputed
  Shifted ///< that row and further ones, `row_shift` rows apart
};

/// A product that an affine component consists of.
struct AffineTerm {
  int64_t time;    ///< number of the time offset that says which rows
  int64_t input;   ///< their first column
  int64_t weights; ///< first column of the weights
  int64_t columns; ///< of both
};

} // namespace mlir::nnet3

#include "nnet3/Arithmetic/KernelInterfaces.h.inc"

namespace mlir::nnet3 {

/// The kernel vectors of an elementwise component, one of blocks or one of
/// rows; fails where they depend on parameters without values.
FailureOr<SmallVector<SmallVector<float>>> getKernelVectors(Operation *op);

/// The values of tensor `name` of `op`, repeated until there are `size`; fails
/// if it has none in memory.
FailureOr<SmallVector<float>> getTensorVector(Operation *op, StringRef name,
                                              int64_t size);

/// Whether all that `component` computes is generated code, for a device or for
/// CPUs.
bool hasKernel(Operation *component, bool device);

/// Attaches the interfaces to the component ops that have generated code.
void registerKernelModels(DialectRegistry &registry);

} // namespace mlir::nnet3

#endif // NNET3_ARITHMETIC_KERNELINTERFACES_H
