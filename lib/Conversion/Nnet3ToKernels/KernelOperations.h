//===- KernelOperations.h - Operations of the kernel dialect ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_KERNELOPERATIONS_H
#define NNET3_CONVERSION_NNET3TOKERNELS_KERNELOPERATIONS_H

#include "KernelTable.h"

namespace mlir::nnet3 {

/// The memory that the function of a computation works on: the arena, the
/// packed weights and the row tables. And the runtime's context.
struct ProgramMemory {
  Value arena, weights, tables, context;
};

/// Whether a CPU's `kernel` is an operation of the kernel dialect.
bool isKernelOperation(const Kernel &kernel);

/// Creates the operation that `call` of `kernel` is.
void createKernelOperation(OpBuilder &builder, const Kernel &kernel,
                           const KernelCall &call, const ProgramMemory &memory,
                           const VectorTarget &target);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_KERNELOPERATIONS_H
