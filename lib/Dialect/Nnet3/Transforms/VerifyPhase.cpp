//===- VerifyPhase.cpp - Check the phase a module is in -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Transforms/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3VERIFYPHASE
#include "nnet3/Dialect/Nnet3/Transforms/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

static StringRef nameOf(Phase phase) {
  switch (phase) {
  case Phase::Network:
    return "network";
  case Phase::Request:
    return "request";
  case Phase::Command:
    return "command";
  case Phase::Kernel:
    return "kernel";
  case Phase::Loop:
    return "loop";
  case Phase::LLVM:
    return "llvm";
  }
  llvm_unreachable("all phases are listed");
}

/// The dialects of phases that have functions, and operations of others.
static ArrayRef<StringRef> getAllowed(Phase phase) {
  static const StringRef kernels[] = {"arith", "func",   "kernel", "llvm",
                                      "math",  "memref", "scf",    "vector"};
  // What callers know of functions, and what a device's runtime executes.
  static const StringRef loops[] = {"arith",
                                    "func",
                                    "llvm",
                                    "math",
                                    "memref",
                                    "scf",
                                    "ub",
                                    "vector",
                                    "kernel.compute_objectives",
                                    "kernel.entry",
                                    "kernel.matmul",
                                    "kernel.precondition",
                                    "kernel.resources"};
  static const StringRef lowered[] = {"arith",
                                      "func",
                                      "gpu",
                                      "llvm",
                                      "memref",
                                      "nvvm",
                                      "kernel.compute_objectives",
                                      "kernel.entry",
                                      "kernel.matmul",
                                      "kernel.precondition",
                                      "kernel.resources"};
  switch (phase) {
  case Phase::Kernel:
    return kernels;
  case Phase::Loop:
    return loops;
  case Phase::LLVM:
    return lowered;
  default:
    return {};
  }
}

static bool belongsTo(Operation *op, Phase phase) {
  if (op->hasTrait<NetworkPhase>())
    return true;
  ArrayRef<StringRef> allowed = getAllowed(phase);
  // The names of inputs and outputs are those of the requests.
  const bool hasRequests = phase == Phase::Request || phase >= Phase::Kernel;
  return (hasRequests && op->hasTrait<RequestPhase>()) ||
         (phase == Phase::Command && op->hasTrait<CommandPhase>()) ||
         llvm::is_contained(allowed, op->getName().getDialectNamespace()) ||
         llvm::is_contained(allowed, op->getName().getStringRef());
}

namespace {
struct VerifyPhase : public nnet3::impl::Nnet3VerifyPhaseBase<VerifyPhase> {
  using Base::Base;

  void runOnOperation() override {
    bool isRight = true;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op == getOperation() || belongsTo(op, phase))
        return WalkResult::advance();
      op->emitOpError("does not belong in phase '") << nameOf(phase) << "'";
      isRight = false;
      return WalkResult::skip();
    });
    if (!isRight)
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
