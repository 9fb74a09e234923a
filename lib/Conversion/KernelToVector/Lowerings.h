//===- Lowerings.h - One lowering per kernel operation ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_LOWERINGS_H
#define NNET3_CONVERSION_KERNELTOVECTOR_LOWERINGS_H

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::nnet3::kernel {

void addGemmLowering(RewritePatternSet &patterns, TargetAttr target);
void addMapLowering(RewritePatternSet &patterns, TargetAttr target);
void addMapRowsLowering(RewritePatternSet &patterns, TargetAttr target);
void addReduceRowsLowering(RewritePatternSet &patterns, TargetAttr target);
void addRunComponentLowering(RewritePatternSet &patterns);

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOVECTOR_LOWERINGS_H
