//===- MultiplyAdds.cpp - Multiply-adds of commands -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MultiplyAdds.h"
#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentParts.h"
#include "nnet3/Dialect/Nnet3/IR/FusedCommandOps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nnet3;

static int64_t countOfRow(ComponentOpInterface component) {
  int64_t count = 0;
  if (component)
    forEachPart(component, [&](ComponentOpInterface part, StringRef) {
      count += part.countMultiplyAdds();
    });
  return count;
}

static int64_t getRows(Value matrix) {
  return cast<MemRefType>(matrix.getType()).getDimSize(0);
}

static int64_t getCols(Value matrix) {
  return cast<MemRefType>(matrix.getType()).getDimSize(1);
}

int64_t(mlir::nnet3::countMultiplyAdds)(Operation *op,
                                        ComponentTable &components) {
  return TypeSwitch<Operation *, int64_t>(op)
      .Case([&](PropagateOp op) {
        return getRows(op.getOutput()) *
               countOfRow(components.find(op.getComponent()));
      })
      .Case([&](BackpropOp op) {
        int64_t passes = (op.getInputDeriv() ? 1 : 0) + op.getUpdate();
        return getRows(op.getOutputDeriv()) * passes *
               countOfRow(components.find(op.getComponent()));
      })
      .Case([](FusedAffineOp op) {
        int64_t cols = 0;
        for (Value input : op.getInputs())
          cols += getCols(input);
        return getRows(op.getOutput()) * getCols(op.getOutput()) * cols;
      })
      .Default([](Operation *) { return 0; });
}
