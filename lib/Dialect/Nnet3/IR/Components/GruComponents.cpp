//===- GruComponents.cpp - Gated recurrent units --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Components.h"

using namespace mlir;
using namespace mlir::nnet3;

LogicalResult GruNonlinearityOp::verifyConfiguration() {
  if (getRecurrentDim().value_or(0) > getCellDim())
    return emitOpError("expects a recurrent_dim up to cell_dim ")
           << getCellDim() << ", but got " << *getRecurrentDim();
  return success();
}

#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/Components/GruComponentOps.cpp.inc"
