//===- StreamOps.h - Streams ------------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_STREAMOPS_H
#define NNET3_DIALECT_NNET3_IR_STREAMOPS_H

#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"

#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/StreamOps.h.inc"

#endif // NNET3_DIALECT_NNET3_IR_STREAMOPS_H
