//===- VerifyPhase.cpp - Check the phase a module is in -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Transforms/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

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
  case Phase::Device:
    return "device";
  }
  llvm_unreachable("all phases are listed");
}

/// Returns the dialects that a phase allows, and single operations of other
/// dialects.
static ArrayRef<StringRef> getAllowed(Phase phase) {
  static const StringRef kernels[] = {"arith", "func",   "kernel", "llvm",
                                      "math",  "memref", "scf",    "vector"};
  // Includes the descriptions of functions for callers, and operations that a
  // device's runtime executes.
  static const StringRef loops[] = {"arith",
                                    "func",
                                    "llvm",
                                    "math",
                                    "memref",
                                    "scf",
                                    "ub",
                                    "vector",
                                    "kernel.allreduce",
                                    "kernel.compute_objectives",
                                    "kernel.entry",
                                    "kernel.matmul",
                                    "kernel.precondition",
                                    "kernel.resources",
                                    "kernel.sum_gradient"};
  static const StringRef lowered[] = {"llvm", "kernel.entry",
                                      "kernel.resources"};
  static const StringRef device[] = {"arith",
                                     "func",
                                     "gpu",
                                     "llvm",
                                     "memref",
                                     "nvvm",
                                     "kernel.allreduce",
                                     "kernel.compute_objectives",
                                     "kernel.entry",
                                     "kernel.matmul",
                                     "kernel.precondition",
                                     "kernel.resources",
                                     "kernel.sum_gradient"};
  switch (phase) {
  case Phase::Kernel:
    return kernels;
  case Phase::Loop:
    return loops;
  case Phase::LLVM:
    return lowered;
  case Phase::Device:
    return device;
  default:
    return {};
  }
}

static bool belongsTo(Operation *op, Phase phase) {
  if (op->hasTrait<NetworkPhase>())
    return true;
  ArrayRef<StringRef> allowed = getAllowed(phase);
  // Requests name the inputs and outputs of functions.
  const bool hasRequests = phase == Phase::Request || phase >= Phase::Kernel;
  return (hasRequests && op->hasTrait<RequestPhase>()) ||
         (phase == Phase::Command && op->hasTrait<CommandPhase>()) ||
         llvm::is_contained(allowed, op->getName().getDialectNamespace()) ||
         llvm::is_contained(allowed, op->getName().getStringRef());
}

/// Returns a type of `op`, which is in the LLVM or NVVM dialect, that LLVM
/// lacks, such as the `index` of an edited `llvm.getelementptr`; null if none.
static Type findForeignType(Operation *op) {
  const auto isForeign = [](Type type) {
    return !LLVM::isCompatibleType(type);
  };
  for (Type type : op->getResultTypes())
    if (isForeign(type))
      return type;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Type type : block.getArgumentTypes())
        if (isForeign(type))
          return type;
  Type found;
  op->getAttrDictionary().walk([&](TypeAttr attribute) {
    if (!isForeign(attribute.getValue()))
      return WalkResult::advance();
    found = attribute.getValue();
    return WalkResult::interrupt();
  });
  return found;
}

static bool isLowered(Operation *op) {
  return isa_and_nonnull<LLVM::LLVMDialect, NVVM::NVVMDialect>(
      op->getDialect());
}

namespace {
struct VerifyPhase : public nnet3::impl::Nnet3VerifyPhaseBase<VerifyPhase> {
  using Base::Base;

  void runOnOperation() override {
    bool isRight = true;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op != getOperation() && !belongsTo(op, phase)) {
        op->emitOpError("does not belong in phase '") << nameOf(phase) << "'";
        isRight = false;
        return WalkResult::skip();
      }
      if (phase < Phase::LLVM || !isLowered(op))
        return WalkResult::advance();
      if (Type type = findForeignType(op)) {
        op->emitOpError("has type ") << type << ", which LLVM does not have";
        isRight = false;
      }
      return WalkResult::advance();
    });
    if (!isRight)
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
