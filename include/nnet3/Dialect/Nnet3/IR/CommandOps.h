//===- CommandOps.h - Computations and their commands -----------*- C++ -*-===//

#ifndef NNET3_DIALECT_NNET3_IR_COMMANDOPS_H
#define NNET3_DIALECT_NNET3_IR_COMMANDOPS_H

#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"

#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/CommandOps.h.inc"
#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/RowCommandOps.h.inc"

#endif // NNET3_DIALECT_NNET3_IR_COMMANDOPS_H
