//===- GemmKernel.h - A matmul with what surrounds it -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_GEMMKERNEL_H
#define NNET3_CONVERSION_NNET3TOKERNELS_GEMMKERNEL_H

#include "nnet3/Conversion/KernelToVector/GemmShape.h"
#include "nnet3/Arithmetic/KernelInterfaces.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::nnet3 {

/// Arguments of kernels before the places: arena, weights, row tables, context.
constexpr unsigned getFirstPlace() { return 4; }

/// A matmul of a CPU, as `nnet3.fused_affine` says. It is an operation of the
/// kernel dialect (KernelOperations.h). The places: weights, bias if there is
/// one, each vector of the epilogue, output, init and residual if there are,
/// each input's or its table's; for less than f32 scratch in the arena, for
/// int8 also the scales and the sums of the columns.
struct GemmKernel : GemmShape {
  bool bias = false;
  std::optional<int64_t> residualStride;
  float residualScale = 1;
  SmallVector<ElementwiseKernelInterface> epilogue;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_GEMMKERNEL_H
