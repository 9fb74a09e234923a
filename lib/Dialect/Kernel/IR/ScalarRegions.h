//===- ScalarRegions.h - Regions on scalars ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_DIALECT_KERNEL_IR_SCALARREGIONS_H
#define NNET3_LIB_DIALECT_KERNEL_IR_SCALARREGIONS_H

#include "mlir/IR/Builders.h"

namespace mlir::nnet3::kernel {

/// Creates the region of an operation: `body` computes the yielded values from
/// block arguments of the given types.
void buildScalars(
    OpBuilder &builder, OperationState &state, ArrayRef<Type> types,
    function_ref<SmallVector<Value>(OpBuilder &, Location, ValueRange)> body);

/// Verifies that the region `block` of `op` has arguments of types `inputs`,
/// consists of operations on scalars, and yields values of types `outputs`.
LogicalResult verifyScalars(Operation *op, Block &block, ArrayRef<Type> inputs,
                            ArrayRef<Type> outputs);

} // namespace mlir::nnet3::kernel

#endif // NNET3_LIB_DIALECT_KERNEL_IR_SCALARREGIONS_H
