//===- ComponentState.h - Trained state of a component ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CORE_COMPONENTSTATE_H
#define NNET3_RUNTIME_CORE_COMPONENTSTATE_H

#include "Component.h"
#include "nnet3/runtime/Exchange.h"

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
  /// The processes that share minibatches; null if there is one.
  Exchange *exchange = nullptr;

  double &number(size_t statistic) { return statistics[statistic][0]; }
  double number(size_t statistic) const { return statistics[statistic][0]; }
};

/// Sums a gradient over the processes that share minibatches; each of them then
/// preconditions the sum. Returns the factor of their updates, which are
/// summed, too. Elements between the rows of \p gradient must be zero.
inline double sumGradient(const ComponentState &state, MatrixView gradient) {
  if (!state.exchange)
    return 1;
  state.exchange->sum(gradient.data, gradient.rows * gradient.stride);
  return 1.0 / state.exchange->size();
}

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CORE_COMPONENTSTATE_H
