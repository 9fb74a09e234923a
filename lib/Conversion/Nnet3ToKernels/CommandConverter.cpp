//===- CommandConverter.cpp - Commands as kernel operations ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CommandConverter.h"

using namespace mlir;
using namespace mlir::nnet3;

LogicalResult CommandConverter::convert(Block &commands) {
  for (Operation &op : commands) {
    context.kernels.setLoc(op.getLoc());
    auto conversion = conversions.find(op.getName().getTypeID());
    if (conversion == conversions.end())
      return op.emitOpError("is not supported in a library");
    if (failed(conversion->second(&op)))
      return failure();
  }
  return success();
}

LogicalResult CommandConverter::convertRound(LoopOp loop, int64_t round) {
  context.arena.setRound(round);
  return convert(loop.getBody().front());
}

LogicalResult CommandConverter::convert() {
  if (failed(convert(context.computation.getBody().front())))
    return failure();
  if (finish)
    finish(attributes);
  return success();
}
