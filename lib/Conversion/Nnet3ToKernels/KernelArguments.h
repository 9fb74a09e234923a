//===- KernelArguments.h - Arguments of the kernels of devices --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_KERNELARGUMENTS_H
#define NNET3_CONVERSION_NNET3TOKERNELS_KERNELARGUMENTS_H

#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Conversion/KernelToVector/GemmShape.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

namespace mlir::nnet3 {

/// Arguments of launches before the places: arena, weights, row tables.
constexpr unsigned getFirstPlace() { return 3; }

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_KERNELARGUMENTS_H
