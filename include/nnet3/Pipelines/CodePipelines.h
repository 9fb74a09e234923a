//===- CodePipelines.h - The pipelines of nnet3-compile ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_PIPELINES_CODEPIPELINES_H
#define NNET3_PIPELINES_CODEPIPELINES_H

namespace mlir::nnet3 {

/// Registers the pipelines `nnet3-native` and `nnet3-cuda`, which lower a
/// network with requests, or a later stage, to the stages of `nnet3-compile
/// --emit`.
void registerCodePipelines();

} // namespace mlir::nnet3

#endif // NNET3_PIPELINES_CODEPIPELINES_H
