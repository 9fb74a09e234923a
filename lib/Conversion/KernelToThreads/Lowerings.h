//===- Lowerings.h - One lowering per kernel operation ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOTHREADS_LOWERINGS_H
#define NNET3_CONVERSION_KERNELTOTHREADS_LOWERINGS_H

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::nnet3::kernel {

/// Notes in a function where it runs: the attribute `nnet3.form`.
void setForm(Operation *function, std::optional<Form> form);

void addGemvLowering(RewritePatternSet &patterns);
void addLaunchLowerings(RewritePatternSet &patterns);
void addMapLowering(RewritePatternSet &patterns);
void addMapRowsLowering(RewritePatternSet &patterns);
void addMatmulLowering(RewritePatternSet &patterns);

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOTHREADS_LOWERINGS_H
