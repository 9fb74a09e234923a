//===- ParallelRows.h - Matmuls whose rows threads share --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Such a matmul becomes two functions: one computes a range of the rows, the
// other passes it with the arguments to the runtime (`nnet3lib_parallel_rows`,
// nnet3/runtime/GeneratedCode.h).
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_PARALLELROWS_H
#define NNET3_CONVERSION_KERNELTOVECTOR_PARALLELROWS_H

#include "nnet3/Conversion/KernelToVector/GemmShape.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::nnet3::kernel {

/// Lowers `op`, which is alone in its function except for its views, as
/// kernel-outline makes it: the body becomes a call of the runtime, and a
/// second function for a range of the rows is added after it. Fails with an
/// error if the function has other operations.
LogicalResult lowerParallelGemm(GemmOp op, TargetAttr target,
                                RewriterBase &rewriter);

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOVECTOR_PARALLELROWS_H
