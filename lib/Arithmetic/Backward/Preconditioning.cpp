//===- Preconditioning.cpp - Operands of natural gradient -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Arithmetic/Preconditioning.h"

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nnet3;

Preconditioning mlir::nnet3::getPreconditioning(Operation *component) {
  return TypeSwitch<Operation *, Preconditioning>(component)
#define GET_PRECONDITIONING
#include "nnet3/Dialect/Nnet3/IR/preconditioning.inc"
#undef GET_PRECONDITIONING
      .Default([](Operation *) { return Preconditioning::None; });
}

PreconditioningRanks
mlir::nnet3::getPreconditioningRanks(Operation *component) {
  return TypeSwitch<Operation *, PreconditioningRanks>(component)
#define GET_PRECONDITIONING_RANKS
#include "nnet3/Dialect/Nnet3/IR/preconditioning.inc"
#undef GET_PRECONDITIONING_RANKS
      .Default([](Operation *) { return PreconditioningRanks(); });
}
