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
  }
  llvm_unreachable("all phases are listed");
}

static bool belongsTo(Operation *op, Phase phase) {
  if (op->hasTrait<NetworkPhase>())
    return true;
  return (phase == Phase::Request && op->hasTrait<RequestPhase>()) ||
         (phase == Phase::Command && op->hasTrait<CommandPhase>());
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
