//===- Passes.h - Loops of computations -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LOOPS_PASSES_H
#define NNET3_LOOPS_PASSES_H

#include "nnet3/Dialect/Nnet3/Analysis/CommandPass.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::nnet3 {

#define GEN_PASS_DECL
#include "nnet3/Loops/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "nnet3/Loops/Passes.h.inc"

/// Creates `nnet3-shortcut-frames`, which runs `passes` on computations.
std::unique_ptr<Pass> createShortcutFrames(const OpPassManager &passes);

} // namespace mlir::nnet3

#endif // NNET3_LOOPS_PASSES_H
