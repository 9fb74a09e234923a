//===- Lowerings.h - One lowering per kernel operation ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOTHREADS_LOWERINGS_H
#define NNET3_CONVERSION_KERNELTOTHREADS_LOWERINGS_H

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::nnet3::kernel {

void addGemvLowering(RewritePatternSet &patterns);
void addLaunchLowering(RewritePatternSet &patterns);
void addMapLowering(RewritePatternSet &patterns);
void addMapRowsLowering(RewritePatternSet &patterns);
void addReduceRowsLowering(RewritePatternSet &patterns);

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOTHREADS_LOWERINGS_H
