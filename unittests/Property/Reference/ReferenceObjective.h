//===- ReferenceObjective.h - Central differences ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_REFERENCE_REFERENCEOBJECTIVE_H
#define NNET3_UNITTESTS_PROPERTY_REFERENCE_REFERENCEOBJECTIVE_H

#include "Networks/Case.h"

#include <optional>

namespace mlir::nnet3::property {

/// A direction in which an input, or the parameters of a component, change.
struct Direction {
  std::string target; ///< name of an input node or component
  Tensors values;

  std::string str() const;
};

/// Draws a direction for tensors with the shapes of `like`.
Direction drawDirection(Random &random, const std::string &target,
                        const Tensors &like);
/// Draws a direction with a single nonzero element.
Direction drawCoordinate(Random &random, const std::string &target,
                         const Tensors &like);

/// f = sum of X o G over the outputs X of a case that have a derivative G
/// (execution.md 4), as a function of inputs and parameters.
class ReferenceObjective {
public:
  /// The outputs must be computable.
  explicit ReferenceObjective(const Case &test);

  /// Returns true if rounding may move an element across a kink.
  bool isNearKink() const;
  /// Returns a row of an output.
  Vector getOutput(const std::string &node, const Index &row);

  /// Returns the derivative in a direction by central differences; none if a
  /// kink is in between.
  std::optional<double> differentiate(const Direction &direction, double step);
  /// Returns how far rounding between the components moves that derivative from
  /// `exact`, the most of three ways to round.
  double getRoundingEffect(const Direction &direction, double exact,
                           double step);

private:
  double evaluate();
  void move(const Direction &direction, double distance);

  RandomRequest request;
  ReferenceEvaluator evaluator;
  Kinks kinks; ///< at the original point
};

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_REFERENCE_REFERENCEOBJECTIVE_H
