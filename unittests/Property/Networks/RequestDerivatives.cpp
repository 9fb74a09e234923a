//===- RequestDerivatives.cpp - Values and derivatives of requests --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RequestGenerator.h"

#include <cmath>

using namespace mlir::nnet3;
using namespace mlir::nnet3::property;

/// Returns true if rows of the node begin with a count of frames, of which a
/// logarithm may be taken.
static bool beginsWithCount(NetworkOp op, llvm::StringRef node) {
  for (auto component : op.getBody().getOps<ComponentNodeOp>())
    if (component.getName() == node)
      return llvm::isa<StatisticsExtractionOp>(
          op.lookupSymbol(component.getComponent()));
  return false;
}

void mlir::nnet3::property::requestDerivatives(Random &random,
                                               RandomRequest &request,
                                               NetworkOp op) {
  bool all = random.chance(0.6);
  for (RandomIo &output : request.outputs)
    output.hasDeriv = all || random.chance(0.5);
  request.outputs[random.between(0, int(request.outputs.size()) - 1)].hasDeriv =
      true;
  // The frame counts that StatisticsPooling reads have no derivative
  // (components.md 6.27).
  for (RandomIo &input : request.inputs)
    input.hasDeriv = random.chance(0.75) && !beginsWithCount(op, input.node);
  request.modelDerivative = random.chance(0.75);
  request.storesStats = random.chance(0.3);
}

void mlir::nnet3::property::drawValues(Random &random, RandomRequest &request,
                                       NetworkOp op) {
  ReferenceEvaluator evaluator(op);
  auto draw = [&](RandomIo &io, double range) {
    int64_t dim = evaluator.getDim(evaluator.find(io.node));
    io.values.clear();
    for (size_t i = 0; i < io.rows.size() * dim; ++i)
      io.values.push_back(float(random.real(-range, range)));
    if (beginsWithCount(op, io.node))
      for (size_t row = 0; row < io.rows.size(); ++row)
        io.values[row * dim] = 1 + std::abs(io.values[row * dim]);
  };
  for (RandomIo &input : request.inputs)
    draw(input, 1.5);
  for (RandomIo &output : request.outputs)
    if (output.hasDeriv)
      draw(output, 1);
}

void mlir::nnet3::property::perturbValues(Random &random,
                                          RandomRequest &request,
                                          int exponent) {
  for (auto *list : {&request.inputs, &request.outputs})
    for (RandomIo &io : *list)
      for (float &value : io.values)
        value *= float(1 + std::ldexp(random.real(-1, 1), exponent));
}
