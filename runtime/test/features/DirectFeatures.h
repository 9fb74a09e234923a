//===- DirectFeatures.h - Features by their definition ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TEST_FEATURES_DIRECTFEATURES_H
#define NNET3_RUNTIME_TEST_FEATURES_DIRECTFEATURES_H

#include "features/FeatureOptions.h"

#include <vector>

namespace nnet3 {
namespace rt {
namespace test {

/// Computes the features of \p samples in double precision, with a direct
/// Fourier transform. Without noise and VTLN.
std::vector<double> computeDirectly(const FeatureOptions &options,
                                    const std::vector<float> &samples);

} // namespace test
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_FEATURES_DIRECTFEATURES_H
