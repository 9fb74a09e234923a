//===- Passes.h - Changes of trained networks -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_SURGERY_PASSES_H
#define NNET3_SURGERY_PASSES_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

#include "mlir/Pass/Pass.h"

namespace mlir::nnet3 {

#define GEN_PASS_DECL
#include "nnet3/Surgery/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "nnet3/Surgery/Passes.h.inc"

} // namespace mlir::nnet3

#endif // NNET3_SURGERY_PASSES_H
