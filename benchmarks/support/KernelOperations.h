//===- KernelOperations.h - Multiply-adds of products -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_BENCHMARKS_KERNELOPERATIONS_H
#define NNET3_BENCHMARKS_KERNELOPERATIONS_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::nnet3::benchmarks {

/// The fused commands that a request becomes on the way to code. Exits if it
/// does not compile.
OwningOpRef<ModuleOp> fuse(NetworkOp network, RequestOp request);

/// The same, but that the network stays as it is and each affine map is one
/// product.
OwningOpRef<ModuleOp> compileProducts(NetworkOp network, RequestOp request);

/// Multiply-adds that the `nnet3.fused_affine` of a module stand for.
double countFusedProducts(ModuleOp module);

/// Multiply-adds that the products of a module of kernels execute when each of
/// its public functions is called once; those of lanes that hold nothing count
/// too. Negative where a loop's bounds cannot be found.
double countExecutedProducts(ModuleOp module);

} // namespace mlir::nnet3::benchmarks

#endif // NNET3_BENCHMARKS_KERNELOPERATIONS_H
