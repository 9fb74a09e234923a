//===- StepKernel.cpp - What the runtime does during a training step ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StepKernel.h"

using namespace mlir;
using namespace mlir::nnet3;

void StepKernel::emit(func::FuncOp function) const {
  OpBuilder builder(function.getContext());
  builder.setInsertionPointToStart(function.addEntryBlock());
  func::ReturnOp::create(builder, function.getLoc());
  auto attribute = [&](StringRef name, Attribute value) {
    return builder.getNamedAttr(name, value);
  };
  if (!component) {
    function->setAttr("nnet3.step",
                      builder.getDictionaryAttr(attribute(
                          "kind", builder.getStringAttr("objective"))));
    return;
  }
  auto count = [&](StringRef name, int64_t value) {
    return attribute(name, builder.getI64IntegerAttr(value));
  };
  SmallVector<NamedAttribute> step = {
      count("columns", columns),
      attribute("component", component),
      attribute("kind", builder.getStringAttr("precondition")),
      count("number", number),
      count("rows", rows),
      count("stride", stride),
      attribute("two_sided", builder.getBoolAttr(isTwoSided))};
  if (part)
    step.push_back(count("part", *part));
  function->setAttr("nnet3.step", builder.getDictionaryAttr(step));
}
