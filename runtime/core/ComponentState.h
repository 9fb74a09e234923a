//===- ComponentState.h - Trained state of a component ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CORE_COMPONENTSTATE_H
#define NNET3_RUNTIME_CORE_COMPONENTSTATE_H

#include "Component.h"

#include <memory>
#include <vector>

namespace nnet3 {
namespace rt {

/// The parameters, statistics and preconditioners of one component in one
/// model; positions are those of the component's declarations.
struct ComponentState {
  std::vector<MatrixView> parameters; ///< contiguous; owned by the model
  std::vector<std::vector<double>> statistics;
  std::vector<std::unique_ptr<Preconditioner>> preconditioners;
  float learningRate = 0;
  /// The learning rates of a composite's parts.
  std::vector<float> partRates;
  /// Updates add the plain gradient; the learning rate is 1.
  bool isGradient = false;

  double &number(size_t statistic) { return statistics[statistic][0]; }
  double number(size_t statistic) const { return statistics[statistic][0]; }
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CORE_COMPONENTSTATE_H
