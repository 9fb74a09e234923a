//===- DerivativeComparison.cpp - Against central differences -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DerivativeComparison.h"
#include "Reference/ReferenceObjective.h"

#include "gtest/gtest.h"
#include <cmath>

using namespace mlir::nnet3;
using namespace mlir::nnet3::property;

/// The step of central differences.
static constexpr double kStep = 1e-6;

namespace {
class Comparison {
public:
  Comparison(const Case &test, llvm::ArrayRef<Derivatives> runs, Random &random,
             ComparisonCounts &counts)
      : request(test.getRequest()), objective(test), runs(runs),
        derivatives(runs.front()), random(random), counts(counts) {}

  bool run();

private:
  void compareOutputs();
  bool compareTarget(const std::string &target, const Tensors &derivative);
  bool compare(const std::function<Direction()> &draw);
  void expectClose(const Direction &direction, double expected);

  const RandomRequest &request;
  ReferenceObjective objective;
  llvm::ArrayRef<Derivatives> runs;
  const Derivatives &derivatives; ///< of the first run
  Random &random;
  ComparisonCounts &counts;
};
} // namespace

static double norm(const Vector &values) {
  double sum = 0;
  for (double value : values)
    sum += value * value;
  return std::sqrt(sum);
}

static double product(const Vector &a, const Vector &b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}

static double distance(Vector a, const Vector &b) {
  for (size_t i = 0; i < a.size(); ++i)
    a[i] -= b[i];
  return norm(a);
}

void Comparison::compareOutputs() {
  for (const RandomIo &io : request.outputs) {
    auto actual = derivatives.outputs.at(io.node).begin();
    for (const Index &row : io.rows)
      for (double expected : objective.getOutput(io.node, row))
        ASSERT_NEAR(*actual++, expected, 1e-4 + 1e-4 * std::abs(expected))
            << io.node;
  }
}

/// The tolerance follows the effect of rounding on the derivative, whose sums
/// may cancel. Its relative part covers rounding that small changes of the
/// inputs do not show: 1 - y^2 of a saturated tanh has the rounding of y.
void Comparison::expectClose(const Direction &direction, double expected) {
  double actual = 0, rms = 0, noise = 0;
  for (const auto &[name, change] : direction.values) {
    auto tensorOf = [&,
                     &name = name](const Derivatives &run) -> const Vector & {
      return run.of.at(direction.target).at(name);
    };
    const Vector &values = tensorOf(derivatives);
    double length = norm(change) / std::sqrt(double(values.size()));
    actual += product(values, change);
    rms += norm(values) * length;
    double most = 0;
    for (const Derivatives &run : runs.drop_front())
      most = std::max(most, distance(tensorOf(run), values));
    noise += most * length;
  }
  ++counts.directions;
  double tolerance = 1e-5 * (rms + std::abs(expected)) + 10 * noise + 1e-8;
  // Batch norm over few rows amplifies rounding behind the inputs.
  if (std::abs(actual - expected) > tolerance)
    tolerance += 10 * objective.getRoundingEffect(direction, expected, kStep);
  EXPECT_NEAR(actual, expected, tolerance)
      << direction.str() << "with a larger step: "
      << objective.differentiate(direction, 1e-5).value_or(NAN);
}

/// Returns false if every random direction crosses a kink.
bool Comparison::compare(const std::function<Direction()> &draw) {
  for (int attempt = 0; attempt < 4; ++attempt) {
    Direction direction = draw();
    if (auto expected = objective.differentiate(direction, kStep)) {
      expectClose(direction, *expected);
      return true;
    }
    ++counts.acrossKinks;
  }
  return false;
}

bool Comparison::compareTarget(const std::string &target,
                               const Tensors &derivative) {
  bool isInput = derivative.count(kValue);
  for (int i = 0; i < (isInput ? 3 : 1); ++i)
    if (!compare([&] { return drawDirection(random, target, derivative); }))
      return false;
  for (int i = 0; i < 2; ++i)
    if (!compare([&] { return drawCoordinate(random, target, derivative); }))
      return false;
  return true;
}

bool Comparison::run() {
  if (objective.isNearKink())
    return false;
  compareOutputs();
  for (const RandomIo &input : request.inputs)
    EXPECT_EQ(derivatives.of.count(input.node), input.hasDeriv) << input.node;
  for (const auto &[target, derivative] : derivatives.of) {
    if (derivative.count(kValue) || request.modelDerivative) {
      if (!compareTarget(target, derivative))
        return false;
    } else {
      for (const auto &[name, values] : derivative)
        EXPECT_EQ(norm(values), 0) << target;
    }
  }
  return true;
}

bool mlir::nnet3::property::compareCase(const Case &test,
                                        llvm::ArrayRef<Derivatives> runs,
                                        Random &random,
                                        ComparisonCounts &counts) {
  return Comparison(test, runs, random, counts).run();
}
