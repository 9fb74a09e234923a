//===- ParameterUpdate.h - The step from delta to the model -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: execution.md 3, steps 3 to 5. The backward pass leaves in delta, a
// model of the same network, what the learning rate makes of the gradient.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_TRAIN_PARAMETERUPDATE_H
#define NNET3_RUNTIME_TRAIN_PARAMETERUPDATE_H

#include "nnet3/runtime/Trainer.h"

namespace nnet3 {
namespace rt {

/// Whether addL2() does anything for any component of \p model.
bool usesL2(const Model &model);

/// Adds to \p delta the derivative of the l2 penalty of \p model's parameters,
/// times \p scale and the learning rates in \p delta.
void addL2(const Model &model, double scale, Model &delta);

/// What addL2() multiplies the parameters of component \p index by.
double l2Factor(const Model &delta, int32_t index);

/// What the parameters of delta are multiplied by before they are added.
struct UpdateScales {
  std::vector<double> components;
  /// Otherwise nothing is to be added.
  bool areFinite = true;
};

/// The scales of a change of \p scale times \p delta, where \p sumSquares has
/// the sum of squares of each component's parameters: as addWithMaxChange() has
/// them. \p counts tells how often a limit was active.
UpdateScales limitChange(const Model &delta,
                         const std::vector<double> &sumSquares,
                         double maxParamChange, double maxChangeScale,
                         double scale, MaxChangeCounts &counts);

/// Adds \p scale times \p delta to \p model. The change of each component is at
/// most \p maxChangeScale times its max-change, that of all together at most
/// \p maxChangeScale times \p maxParamChange; 0 is no limit (spec: execution.md
/// 3.1). \p counts tells how often a limit was active. Where the change is not
/// finite nothing is added, and the result is false.
bool addWithMaxChange(const Model &delta, double maxParamChange,
                      double maxChangeScale, double scale, Model &model,
                      MaxChangeCounts &counts);

/// Multiplies the statistics of batch normalisation, so that those of the last
/// minibatches count most.
void scaleBatchNormStatistics(double scale, Model &model);

/// Whether that changes component \p index.
bool isBatchNorm(const Model &model, int32_t index);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TRAIN_PARAMETERUPDATE_H
