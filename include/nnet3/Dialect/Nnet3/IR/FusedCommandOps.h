//===- FusedCommandOps.h - Commands for code generation ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_FUSEDCOMMANDOPS_H
#define NNET3_DIALECT_NNET3_IR_FUSEDCOMMANDOPS_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/FusedCommandOps.h.inc"

#endif // NNET3_DIALECT_NNET3_IR_FUSEDCOMMANDOPS_H
