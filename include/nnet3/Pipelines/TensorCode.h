//===- TensorCode.h - From computations to tensors --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_PIPELINES_TENSORCODE_H
#define NNET3_PIPELINES_TENSORCODE_H

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace mlir::nnet3 {

/// Adds the passes that convert networks and requests to functions on tensors.
/// With `testMode`, first sets the networks to test mode.
void addTensorPasses(OpPassManager &module, bool testMode = true);

/// Like addTensorPasses, but in the form that other compilers accept:
/// elementwise operations are `linalg`, and concatenations are slices.
void addLinalgPasses(OpPassManager &module, bool testMode = true);

} // namespace mlir::nnet3

#endif // NNET3_PIPELINES_TENSORCODE_H
