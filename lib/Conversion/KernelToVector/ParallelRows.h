//===- ParallelRows.h - Matmuls whose rows threads share --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Such a matmul is two functions: one that computes some of the rows, and one
// that gives it, with the arguments, to the runtime
// (`nnet3lib_parallel_rows`, nnet3/runtime/GeneratedCode.h).
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_PARALLELROWS_H
#define NNET3_CONVERSION_KERNELTOVECTOR_PARALLELROWS_H

#include "nnet3/Conversion/KernelToVector/GemmShape.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::nnet3::kernel {

/// Lowers `op`, which shares its function with nothing but its views, as
/// kernel-outline makes it: the function gets a call of the runtime, and behind
/// it comes one for some of the rows. Fails with an error at anything else.
LogicalResult lowerParallelGemm(GemmOp op, TargetAttr target,
                                RewriterBase &rewriter);

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOVECTOR_PARALLELROWS_H
