//===- FeatureTesting.h - Features in tests ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TEST_FEATURES_FEATURETESTING_H
#define NNET3_RUNTIME_TEST_FEATURES_FEATURETESTING_H

#include "nnet3/runtime/nnet3_features.h"

#include <memory>
#include <string>
#include <vector>

namespace nnet3 {
namespace rt {
namespace test {

using FeaturesPtr =
    std::unique_ptr<nnet3_features, decltype(&nnet3_features_destroy)>;
using FeatureStreamPtr =
    std::unique_ptr<nnet3_features_stream, decltype(&nnet3_features_close)>;

/// Fails the test if there are no such features.
FeaturesPtr makeFeatures(nnet3_features_kind kind, const std::string &config);
FeatureStreamPtr openStream(const FeaturesPtr &features);

/// Two voiced tones under noise, with pauses of zeros, in the range of 16-bit
/// integers.
std::vector<float> makeSound(int64_t numSamples, unsigned seed);

/// Returns the rows of \p samples, pushed and finished at once.
std::vector<float> computeAll(const FeaturesPtr &features,
                              const std::vector<float> &samples);

} // namespace test
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_FEATURES_FEATURETESTING_H
