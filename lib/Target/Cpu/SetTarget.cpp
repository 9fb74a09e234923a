//===- SetTarget.cpp - Say what code is generated for ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Cpu/CpuTarget.h"
#include "nnet3/Target/Cpu/Passes.h"

namespace mlir::nnet3::kernel {
#define GEN_PASS_DEF_KERNELSETTARGET
#include "nnet3/Target/Cpu/Passes.h.inc"
} // namespace mlir::nnet3::kernel

using namespace mlir;
using namespace mlir::nnet3;

namespace {
struct KernelSetTarget
    : public kernel::impl::KernelSetTargetBase<KernelSetTarget> {
  using Base::Base;

  void runOnOperation() override {
    std::string error;
    auto target =
        instructionSets.empty()
            ? CodeTarget{cpu}.getAttribute(&getContext(), error)
            : getTarget(&getContext(), llvm::to_vector(instructionSets), error);
    if (succeeded(target)) {
      getOperation()->setAttr(kernel::kTargetAttr, *target);
      return;
    }
    mlir::emitError(getOperation().getLoc()) << error;
    signalPassFailure();
  }
};
} // namespace
