//===- CommandOps.h - Computations and their commands -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_COMMANDOPS_H
#define NNET3_DIALECT_NNET3_IR_COMMANDOPS_H

#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"

namespace mlir::nnet3 {

/// The caller of a computation: the resource that its input and output commands
/// access besides matrices.
struct CallerResource : public SideEffects::Resource::Base<CallerResource> {
  StringRef getName() final { return "nnet3.caller"; }
};

} // namespace mlir::nnet3

#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/CommandOps.h.inc"
#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/RowCommandOps.h.inc"

#endif // NNET3_DIALECT_NNET3_IR_COMMANDOPS_H
