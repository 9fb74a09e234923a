//===- KernelOperations.h - Multiply-adds of products -----------*- C++ -*-===//

#ifndef NNET3_BENCHMARKS_KERNELOPERATIONS_H
#define NNET3_BENCHMARKS_KERNELOPERATIONS_H

#include "mlir/IR/BuiltinOps.h"

namespace nnet3::benchmarks {

/// Multiply-adds that the `nnet3.fused_affine` of a module stand for.
double countFusedProducts(mlir::ModuleOp module);

/// Multiply-adds that the products of a module of kernels execute when each of
/// its public functions is called once; those of lanes that hold nothing count
/// too. Negative where a loop's bounds cannot be found.
double countExecutedProducts(mlir::ModuleOp module);

} // namespace nnet3::benchmarks

#endif // NNET3_BENCHMARKS_KERNELOPERATIONS_H
