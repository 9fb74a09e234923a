//===- ComponentOps.h - Component types -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_COMPONENTOPS_H
#define NNET3_DIALECT_NNET3_IR_COMPONENTOPS_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

namespace mlir::nnet3 {
/// May be the parent of other components.
class CompositeOp;
} // namespace mlir::nnet3

#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/AffineComponentOps.h.inc"
#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/NonlinearComponentOps.h.inc"
#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/ElementwiseComponentOps.h.inc"
#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/RecurrentComponentOps.h.inc"
#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/RandomComponentOps.h.inc"
#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/ContextComponentOps.h.inc"
#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/CompositeComponentOps.h.inc"
#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/GruComponentOps.h.inc"
#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/BlockComponentOps.h.inc"
#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/ConstantComponentOps.h.inc"
#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/ImageComponentOps.h.inc"

#endif // NNET3_DIALECT_NNET3_IR_COMPONENTOPS_H
