//===- ReferenceObjective.cpp - Central differences -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReferenceObjective.h"

using namespace mlir::nnet3;
using namespace mlir::nnet3::property;

//===----------------------------------------------------------------------===//
// Directions
//===----------------------------------------------------------------------===//

std::string Direction::str() const {
  std::string text = "direction of " + target + "\n";
  for (const auto &[name, tensor] : values) {
    text += "  " + name + " = [";
    for (double value : tensor)
      text += " " + toText(float(value));
    text += " ]\n";
  }
  return text;
}

Direction mlir::nnet3::property::drawDirection(Random &random,
                                               const std::string &target,
                                               const Tensors &like) {
  Direction direction{target, like};
  for (auto &[name, tensor] : direction.values)
    for (double &value : tensor)
      value = random.real(-1, 1);
  return direction;
}

Direction mlir::nnet3::property::drawCoordinate(Random &random,
                                                const std::string &target,
                                                const Tensors &like) {
  Direction direction{target, like};
  std::vector<double *> elements;
  for (auto &[name, tensor] : direction.values)
    for (double &value : tensor) {
      value = 0;
      elements.push_back(&value);
    }
  *random.pick(elements) = 1;
  return direction;
}

//===----------------------------------------------------------------------===//
// ReferenceObjective
//===----------------------------------------------------------------------===//

ReferenceObjective::ReferenceObjective(const Case &test)
    : request(test.getRequest()), evaluator(test.makeEvaluator()) {
  evaluator.analyze(test.getWanted(evaluator));
  evaluate();
  kinks = evaluator.getKinks();
}

bool ReferenceObjective::isNearKink() const { return kinks.nearest < 1e-5; }

Vector ReferenceObjective::getOutput(const std::string &node,
                                     const Index &row) {
  return evaluator.evaluate({evaluator.find(node), row});
}

double ReferenceObjective::evaluate() {
  evaluator.forget();
  double sum = 0;
  for (const RandomIo &io : request.outputs) {
    if (!io.hasDeriv)
      continue;
    auto derivative = io.values.begin();
    for (const Index &row : io.rows)
      for (double value : getOutput(io.node, row))
        sum += value * *derivative++;
  }
  return sum;
}

void ReferenceObjective::move(const Direction &direction, double distance) {
  auto add = [&](Vector values, const Vector &change) {
    for (size_t i = 0; i < values.size(); ++i)
      values[i] += distance * change[i];
    return values;
  };
  for (const RandomIo &io : request.inputs) {
    if (io.node != direction.target)
      continue;
    Vector values = add({io.values.begin(), io.values.end()},
                        direction.values.begin()->second);
    evaluator.supply(io.node, io.rows, values);
    return;
  }
  ReferenceComponent &component = evaluator.getComponent(direction.target);
  component = ReferenceComponent(component.op);
  for (const auto &[name, change] : direction.values)
    component.tensors[name] = add(component.tensors[name], change);
}

std::optional<double>
ReferenceObjective::differentiate(const Direction &direction, double step) {
  bool isSmooth = true;
  auto at = [&](double distance) {
    move(direction, distance);
    double value = evaluate();
    isSmooth &= evaluator.getKinks().sides == kinks.sides;
    return value;
  };
  double difference = at(step) - at(-step);
  move(direction, 0);
  evaluator.forget();
  if (!isSmooth)
    return std::nullopt;
  return difference / (2 * step);
}

double ReferenceObjective::getRoundingEffect(const Direction &direction,
                                             double exact, double step) {
  double most = 0;
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    evaluator.setRounding(seed);
    if (std::optional<double> rounded = differentiate(direction, step))
      most = std::max(most, std::abs(*rounded - exact));
  }
  evaluator.setRounding(0);
  evaluator.forget();
  return most;
}
