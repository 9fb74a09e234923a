//===- ComponentOps.h - Component types -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_COMPONENTOPS_H
#define NNET3_DIALECT_NNET3_IR_COMPONENTOPS_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

namespace mlir::nnet3 {
// Forward declaration for the trait ParentOneOf of component ops.
class CompositeOp;
} // namespace mlir::nnet3

#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/Components/AffineComponentOps.h.inc"
#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/Components/NonlinearComponentOps.h.inc"
#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/Components/ElementwiseComponentOps.h.inc"
#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/Components/RecurrentComponentOps.h.inc"
#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/Components/RandomComponentOps.h.inc"
#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/Components/ContextComponentOps.h.inc"
#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/Components/CompositeComponentOps.h.inc"
#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/Components/GruComponentOps.h.inc"
#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/Components/BlockComponentOps.h.inc"
#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/Components/ConstantComponentOps.h.inc"
#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/Components/ImageComponentOps.h.inc"

#endif // NNET3_DIALECT_NNET3_IR_COMPONENTOPS_H
