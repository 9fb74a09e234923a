//===- Passes.h - Passes over networks and phases ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_TRANSFORMS_PASSES_H
#define NNET3_DIALECT_NNET3_TRANSFORMS_PASSES_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::nnet3 {

/// The phases of compilation; see the dialect's description.
enum class Phase { Network, Request, Command, Kernel, Loop, LLVM, Device };

#define GEN_PASS_DECL
#include "nnet3/Dialect/Nnet3/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "nnet3/Dialect/Nnet3/Transforms/Passes.h.inc"

} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_TRANSFORMS_PASSES_H
