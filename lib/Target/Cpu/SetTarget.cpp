//===- SetTarget.cpp - Set the target CPU of a module ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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
    auto attribute = getAttribute(error);
    if (succeeded(attribute)) {
      getOperation()->setAttr(kernel::kTargetAttr,
                              attribute->withThreads(threads));
      return;
    }
    mlir::emitError(getOperation().getLoc()) << error;
    signalPassFailure();
  }

private:
  FailureOr<kernel::TargetAttr> getAttribute(std::string &error) {
    if (threads < 1 || threads > kernel::kMaxThreads) {
      error = "expects 1 to " + std::to_string(kernel::kMaxThreads) +
              " threads, but got " + std::to_string(threads);
      return failure();
    }
    if (instructionSets.empty())
      return CodeTarget{cpu, /*isOptimized=*/true, target, features,
                        panelColumns}
          .getAttribute(&getContext(), error);
    return getTarget(&getContext(), llvm::to_vector(instructionSets), error);
  }
};
} // namespace

kernel::KernelSetTargetOptions
mlir::nnet3::getPassOptions(const CodeTarget &target) {
  return {target.cpu, {}, target.triple, target.features, target.panelColumns};
}
