//===- HoistAllocations.cpp - Move allocations out of loops ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Conversion/KernelsToLLVM/Passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3HOISTALLOCATIONS
#include "nnet3/Conversion/KernelsToLLVM/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;

namespace {
struct HoistAllocations
    : public nnet3::impl::Nnet3HoistAllocationsBase<HoistAllocations> {
  void runOnOperation() override {
    getOperation()->walk([](memref::AllocaOp memory) {
      auto function = memory->getParentOfType<FunctionOpInterface>();
      if (function && memory->getNumOperands() == 0)
        memory->moveBefore(&function.getFunctionBody().front().front());
    });
  }
};
} // namespace
