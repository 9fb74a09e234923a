//===- ParameterUpdate.h - The step from delta to the model -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: execution.md 3, steps 3 to 5. The backward pass accumulates the
// gradient times the learning rate in delta, a model of the same network.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_TRAIN_PARAMETERUPDATE_H
#define NNET3_RUNTIME_TRAIN_PARAMETERUPDATE_H

#include "nnet3/runtime/Trainer.h"

namespace nnet3 {
namespace rt {

/// Whether any component of \p model has an l2 penalty.
bool usesL2(const Model &model);

/// Adds to \p delta the derivative of the l2 penalty of \p model's parameters,
/// times \p scale and the learning rates in \p delta. The threads of \p threads
/// share the work, here and below.
void addL2(const Model &model, double scale, Model &delta,
           ThreadPool *threads = nullptr);

/// Returns the factor of the parameters of component \p index in addL2().
double l2Factor(const Model &delta, int32_t index);

/// The scales of delta's parameters in an update.
struct UpdateScales {
  std::vector<double> components;
  /// If false, nothing must be added.
  bool areFinite = true;
};

/// Computes the scales of addWithMaxChange(). \p sumSquares has the sum of
/// squares of each component's parameters in \p delta. Updates \p counts.
UpdateScales limitChange(const Model &delta,
                         const std::vector<double> &sumSquares,
                         double maxParamChange, double maxChangeScale,
                         double scale, MaxChangeCounts &counts);

/// Adds \p scale times \p delta to \p model. Limits the 2-norm of each
/// component's change to \p maxChangeScale times its max-change, and that of
/// the total change to \p maxChangeScale times \p maxParamChange; 0 is no limit
/// (spec: execution.md 3.1). Updates \p counts. If the change is not finite,
/// adds nothing and returns false.
bool addWithMaxChange(const Model &delta, double maxParamChange,
                      double maxChangeScale, double scale, Model &model,
                      MaxChangeCounts &counts, ThreadPool *threads = nullptr);

/// Multiplies the statistics of batch normalisation by \p scale, so that recent
/// minibatches have the largest weight.
void scaleBatchNormStatistics(double scale, Model &model);

/// Whether scaleBatchNormStatistics() changes component \p index.
bool isBatchNorm(const Model &model, int32_t index);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TRAIN_PARAMETERUPDATE_H
