//===- Passes.h - Networks to streams ---------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_STREAM_PASSES_H
#define NNET3_STREAM_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::nnet3 {

#define GEN_PASS_DECL
#include "nnet3/Stream/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "nnet3/Stream/Passes.h.inc"

} // namespace mlir::nnet3

#endif // NNET3_STREAM_PASSES_H
