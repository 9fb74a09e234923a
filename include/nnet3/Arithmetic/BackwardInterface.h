//===- BackwardInterface.h - Backward passes as generated code --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_BACKWARDINTERFACE_H
#define NNET3_ARITHMETIC_BACKWARDINTERFACE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpDefinition.h"

namespace mlir::nnet3 {
class RowEmission;
} // namespace mlir::nnet3

#include "nnet3/Arithmetic/BackwardInterface.h.inc"

#endif // NNET3_ARITHMETIC_BACKWARDINTERFACE_H
