//===- GoldenRun.cpp - Running cases of the reference ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GoldenRun.h"

#include <cmath>

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;
using mlir::nnet3::RequestInstance;

/// Numbers below this come from products of tiny numbers, not from sums, so
/// every digit must be right.
static constexpr double kTiny = 1e-30;
/// A few units in the last place of a denormal.
static constexpr double kDenormalUnits = 6e-45;

static bool agree(double actual, double expected, Agreement agreement,
                  bool hasSums) {
  if (std::isnan(expected) || std::isnan(actual))
    return std::isnan(expected) && std::isnan(actual);
  if (std::isinf(expected) || std::isinf(actual))
    return expected == actual;
  if (agreement.zeroSigns && actual == 0 && expected == 0)
    return std::signbit(actual) == std::signbit(expected);
  const double size = std::abs(expected);
  const double error = std::abs(actual - expected);
  if (size > 0 && size < kTiny && !hasSums)
    return error <= 1e-3 * size + kDenormalUnits;
  return error <= agreement.tolerance * std::max(1.0, size);
}

std::string mlir::nnet3::property::compareResults(const Results &actual,
                                                  const Results &expected,
                                                  Agreement agreement) {
  for (const auto &[name, values] : expected) {
    auto it = actual.find(name);
    if (it == actual.end() || it->second.size() != values.size())
      return name + ": missing, or of another size";
    for (size_t i = 0; i < values.size(); ++i)
      if (!agree(it->second[i], values[i], agreement, isOfModel(name)))
        return name + "[" + std::to_string(i) +
               "]: " + toText(float(it->second[i])) + " instead of " +
               toText(float(values[i]));
  }
  return "";
}

/// Sets the values and derivatives.
static void setOperands(RequestInstance &instance, const GoldenCase &test) {
  for (const Operand &operand : test.operands)
    ASSERT_TRUE(
        instance.setInput(operand.node, mlir::nnet3::getView(operand.values))
            .ok());
}

static Results readOutputs(const RequestInstance &instance, RequestOp request) {
  Results results;
  auto read = [&](llvm::StringRef name) {
    auto view = instance.output(name);
    ASSERT_TRUE(view.ok()) << view.status().message();
    Vector &values = results[name.str()];
    for (int32_t row = 0; row < view->rows; ++row)
      values.insert(values.end(), view->row(row), view->row(row) + view->cols);
  };
  for (auto output : request.getOps<RequestOutputOp>())
    read(output.getName());
  for (auto input : request.getOps<RequestInputOp>())
    if (input.getHasDeriv())
      read(input.getName());
  return results;
}

Results mlir::nnet3::property::runForward(RequestInstance &instance,
                                          const GoldenCase &test) {
  setOperands(instance, test);
  auto status = instance.run();
  EXPECT_TRUE(status.ok()) << status.message();
  return readOutputs(instance, test.request);
}

Results Training::run(const GoldenCase &test) {
  model->zeroStatistics();
  gradient->setZero();
  setOperands(*instance, test);
  runPasses();
  Results results = readOutputs(*instance, test.request);
  for (auto [what, from] : {std::pair("gradient", gradient.get()),
                            std::pair("statistics", model.get())})
    for (const auto &[component, tensors] : readState(*from))
      for (const auto &[name, values] : tensors)
        results[what + (" " + component) + " " + name] = values;
  return results;
}
