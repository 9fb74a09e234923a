//===- DecomposeConcats.cpp - Concatenations as insertions ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Conversion/Nnet3ToLinalg/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3DECOMPOSECONCATS
#include "nnet3/Conversion/Nnet3ToLinalg/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;

namespace {
struct DecomposeConcats
    : public nnet3::impl::Nnet3DecomposeConcatsBase<DecomposeConcats> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    tensor::populateDecomposeTensorConcatPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
