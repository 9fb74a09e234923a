//===- BatchNorm.h - Common parts of batch norm's modes ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CPU_SIMPLE_BATCHNORM_H
#define NNET3_RUNTIME_CPU_SIMPLE_BATCHNORM_H

#include "core/ComponentAttributes.h"

namespace nnet3 {
namespace rt {

/// The configuration of batch norm.
struct BatchNormOptions {
  int32_t dim;
  uint32_t properties;
  int32_t blockDim; ///< divides the dim
  double epsilon;   ///< above 0
  double targetRms; ///< above 0

  /// Returns s in y = s (x - mean).
  double scale(double variance) const;
};

/// Creates batch norm in test mode, with the mean and variance of each column
/// of a block; mean 0 and variance 1 if \p mean is null.
std::unique_ptr<Component>
createBatchNormTestMode(const BatchNormOptions &options, const float *mean,
                        const float *variance);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_SIMPLE_BATCHNORM_H
