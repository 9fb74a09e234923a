//===- BatchNorm.h - What both modes of batch norm share --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CPU_SIMPLE_BATCHNORM_H
#define NNET3_RUNTIME_CPU_SIMPLE_BATCHNORM_H

#include "core/ComponentAttributes.h"

namespace nnet3 {
namespace rt {

/// What configures batch norm.
struct BatchNormOptions {
  int32_t blockDim; ///< divides the dim
  double epsilon;   ///< above 0
  double targetRms; ///< above 0

  /// s in y = s (x - mean).
  double scale(double variance) const;
};

/// Batch norm in test mode, with the statistics of the attributes.
std::unique_ptr<Component>
createBatchNormTestMode(const BatchNormOptions &options,
                        const BatchNormAttributes &attributes);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_SIMPLE_BATCHNORM_H
