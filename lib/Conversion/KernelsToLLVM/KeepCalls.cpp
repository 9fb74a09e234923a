//===- KeepCalls.cpp - Keep kernel functions from being inlined -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Conversion/KernelsToLLVM/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3KEEPCALLS
#include "nnet3/Conversion/KernelsToLLVM/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;

namespace {
struct KeepCalls : public nnet3::impl::Nnet3KeepCallsBase<KeepCalls> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (function.isPrivate() && !function.isExternal())
        function.setNoInline(true);
  }
};
} // namespace
