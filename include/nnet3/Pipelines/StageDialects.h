//===- StageDialects.h - The dialects of the stages -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_PIPELINES_STAGEDIALECTS_H
#define NNET3_PIPELINES_STAGEDIALECTS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::nnet3 {

/// Registers the dialects of all stages, from networks to the LLVM dialect, so
/// that each stage can be parsed.
void registerStageDialects(DialectRegistry &registry);

} // namespace mlir::nnet3

#endif // NNET3_PIPELINES_STAGEDIALECTS_H
