//===- CodePipelines.h - What nnet3-compile does, by name -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_PIPELINES_CODEPIPELINES_H
#define NNET3_PIPELINES_CODEPIPELINES_H

namespace mlir::nnet3 {

/// Registers the pipelines `nnet3-native` and `nnet3-cuda`, which make of a
/// network with requests, or of a later stage, what `nnet3-compile --emit`
/// writes.
void registerCodePipelines();

} // namespace mlir::nnet3

#endif // NNET3_PIPELINES_CODEPIPELINES_H
