//===- KernelOperations.h - Multiply-adds of matmuls ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_BENCHMARKS_KERNELOPERATIONS_H
#define NNET3_BENCHMARKS_KERNELOPERATIONS_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::nnet3::benchmarks {

/// Lowers a request to fused commands. Exits if it does not compile.
OwningOpRef<ModuleOp> fuse(NetworkOp network, RequestOp request);

/// Like fuse(), but without changing the network; each affine map becomes one
/// matmul.
OwningOpRef<ModuleOp> compileMatmuls(NetworkOp network, RequestOp request);

/// Returns the multiply-adds of the `nnet3.fused_affine` ops of a module.
double countFusedMultiplyAdds(ModuleOp module);

/// Returns the multiply-adds that the matmuls of a kernel module execute if
/// each of its public functions is called once, padding lanes included.
/// Negative if a loop bound is unknown.
double countExecutedMultiplyAdds(ModuleOp module);

} // namespace mlir::nnet3::benchmarks

#endif // NNET3_BENCHMARKS_KERNELOPERATIONS_H
