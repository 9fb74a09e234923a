//===- CommandConverter.cpp - Commands as kernel operations ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CommandConverter.h"

using namespace mlir;
using namespace mlir::nnet3;

LogicalResult CommandConverter::convert() {
  for (Operation &op : context.computation.getBody().front()) {
    context.kernels.setLoc(op.getLoc());
    auto conversion = conversions.find(op.getName().getStringRef());
    if (conversion == conversions.end())
      return op.emitOpError("has no place in a library");
    if (failed(conversion->second(&op)))
      return failure();
  }
  if (finish)
    finish(attributes);
  return success();
}
