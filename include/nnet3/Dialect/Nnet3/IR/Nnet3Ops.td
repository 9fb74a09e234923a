//===- Nnet3Ops.td - All operations of the dialect ---------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_NNET3OPS_TD
#define NNET3_DIALECT_NNET3_IR_NNET3OPS_TD

include "nnet3/Dialect/Nnet3/IR/NetworkOps.td"
include "nnet3/Dialect/Nnet3/IR/AffineComponentOps.td"
include "nnet3/Dialect/Nnet3/IR/NonlinearComponentOps.td"
include "nnet3/Dialect/Nnet3/IR/ElementwiseComponentOps.td"
include "nnet3/Dialect/Nnet3/IR/RecurrentComponentOps.td"
include "nnet3/Dialect/Nnet3/IR/RandomComponentOps.td"
include "nnet3/Dialect/Nnet3/IR/ContextComponentOps.td"
include "nnet3/Dialect/Nnet3/IR/CompositeComponentOps.td"
include "nnet3/Dialect/Nnet3/IR/GruComponentOps.td"
include "nnet3/Dialect/Nnet3/IR/BlockComponentOps.td"
include "nnet3/Dialect/Nnet3/IR/ConstantComponentOps.td"
include "nnet3/Dialect/Nnet3/IR/ImageComponentOps.td"
include "nnet3/Dialect/Nnet3/IR/RequestOps.td"
include "nnet3/Dialect/Nnet3/IR/StreamOps.td"
include "nnet3/Dialect/Nnet3/IR/CommandOps.td"
include "nnet3/Dialect/Nnet3/IR/RowCommandOps.td"
include "nnet3/Dialect/Nnet3/IR/FusedCommandOps.td"

#endif // NNET3_DIALECT_NNET3_IR_NNET3OPS_TD
