//===- TensorCode.h - From computations to tensors --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_PIPELINES_TENSORCODE_H
#define NNET3_PIPELINES_TENSORCODE_H

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace mlir::nnet3 {

/// Adds the passes that make functions on tensors of networks and requests,
/// after setting the networks to test mode if wanted.
void addTensorPasses(OpPassManager &module, bool testMode = true);

/// The same, in the form that other compilers take: elements and
/// concatenations are `linalg` and slices.
void addLinalgPasses(OpPassManager &module, bool testMode = true);

} // namespace mlir::nnet3

#endif // NNET3_PIPELINES_TENSORCODE_H
