//===- Nnet3Ops.td - All operations of the dialect ---------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_NNET3OPS_TD
#define NNET3_DIALECT_NNET3_IR_NNET3OPS_TD

include "nnet3/Dialect/Nnet3/IR/NetworkOps.td"
include "nnet3/Dialect/Nnet3/IR/Components/AffineComponentOps.td"
include "nnet3/Dialect/Nnet3/IR/Components/NonlinearComponentOps.td"
include "nnet3/Dialect/Nnet3/IR/Components/ElementwiseComponentOps.td"
include "nnet3/Dialect/Nnet3/IR/Components/RecurrentComponentOps.td"
include "nnet3/Dialect/Nnet3/IR/Components/RandomComponentOps.td"
include "nnet3/Dialect/Nnet3/IR/Components/ContextComponentOps.td"
include "nnet3/Dialect/Nnet3/IR/Components/CompositeComponentOps.td"
include "nnet3/Dialect/Nnet3/IR/Components/GruComponentOps.td"
include "nnet3/Dialect/Nnet3/IR/Components/BlockComponentOps.td"
include "nnet3/Dialect/Nnet3/IR/Components/ConstantComponentOps.td"
include "nnet3/Dialect/Nnet3/IR/Components/ImageComponentOps.td"
include "nnet3/Dialect/Nnet3/IR/RequestOps.td"
include "nnet3/Dialect/Nnet3/IR/StreamOps.td"
include "nnet3/Dialect/Nnet3/IR/CommandOps.td"
include "nnet3/Dialect/Nnet3/IR/RowCommandOps.td"
include "nnet3/Dialect/Nnet3/IR/FusedCommandOps.td"

#endif // NNET3_DIALECT_NNET3_IR_NNET3OPS_TD
