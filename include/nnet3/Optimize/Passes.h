//===- Passes.h - The optimisations of computations -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_OPTIMIZE_PASSES_H
#define NNET3_OPTIMIZE_PASSES_H

#include "nnet3/Dialect/Nnet3/Analysis/CommandPass.h"

namespace mlir::nnet3 {

#define GEN_PASS_DECL
#include "nnet3/Optimize/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "nnet3/Optimize/Passes.h.inc"

} // namespace mlir::nnet3

#endif // NNET3_OPTIMIZE_PASSES_H
