//===- MatmulLoops.h - kernel.matmul without cuBLAS -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_EXECUTION_MATMULLOOPS_H
#define NNET3_UNITTESTS_PROPERTY_EXECUTION_MATMULLOOPS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::nnet3::property {

/// Lowers the matmuls that a device computes with cuBLAS to loops.
struct MatmulLoops : PassWrapper<MatmulLoops, OperationPass<ModuleOp>> {
  void runOnOperation() override;
};

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_EXECUTION_MATMULLOOPS_H
