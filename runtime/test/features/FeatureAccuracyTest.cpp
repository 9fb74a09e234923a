//===- FeatureAccuracyTest.cpp - Features as they are defined -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every option against features that are computed another way. What Kaldi's
// formulas give is in test/Inputs/features.
//
//===----------------------------------------------------------------------===//

#include "DirectFeatures.h"
#include "FeatureTesting.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

struct Case {
  nnet3_features_kind kind;
  const char *config;
};

class FeatureAccuracyTest : public testing::TestWithParam<Case> {};

TEST_P(FeatureAccuracyTest, EqualsTheDefinition) {
  FeatureOptions options(GetParam().kind == NNET3_FEATURES_MFCC
                             ? FeatureKind::Mfcc
                             : FeatureKind::Fbank);
  ASSERT_EQ(options.parse(GetParam().config), "");
  const FeaturesPtr features = makeFeatures(GetParam().kind, GetParam().config);
  ASSERT_TRUE(features);
  EXPECT_EQ(nnet3_features_dim(features.get()), options.getDim());
  for (int64_t numSamples : {5000, 7013}) {
    std::vector<float> samples = makeSound(numSamples, 5);
    const std::vector<float> rows = computeAll(features, samples);
    const std::vector<double> expected = computeDirectly(options, samples);
    ASSERT_EQ(rows.size(), expected.size());
    ASSERT_FALSE(rows.empty());
    double difference = 0, norm = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      difference += std::pow(rows[i] - expected[i], 2);
      norm += std::pow(expected[i], 2);
    }
    EXPECT_LT(std::sqrt(difference / norm), 5e-6);
  }
}

constexpr nnet3_features_kind kMfcc = NNET3_FEATURES_MFCC;
constexpr nnet3_features_kind kFbank = NNET3_FEATURES_FBANK;

INSTANTIATE_TEST_SUITE_P(
    Options, FeatureAccuracyTest,
    testing::Values(
        Case{kMfcc, ""}, Case{kFbank, ""},
        Case{kMfcc, "--use-energy=false\n--num-mel-bins=40\n--num-ceps=40\n"
                    "--low-freq=20\n--high-freq=-400\n"},
        Case{kMfcc, "--snip-edges=false\n--raw-energy=false"},
        Case{kMfcc, "--htk-compat=true\n--energy-floor=1e9"},
        Case{kMfcc, "--htk-compat\n--use-energy=false\n--cepstral-lifter=0"},
        Case{kMfcc, "--sample-frequency=8000\n--num-mel-bins=15\n"
                    "--frame-length=20\n--frame-shift=8"},
        Case{kMfcc, "--round-to-power-of-two=false\n--snip-edges=false"},
        Case{kMfcc, "--frame-length=25.07\n--snip-edges=false"},
        Case{kMfcc, "--frame-length=10\n--frame-shift=25\n--low-freq=100"},
        Case{kMfcc, "--frame-length=10\n--frame-shift=25\n--low-freq=100\n"
                    "--snip-edges=false"},
        Case{kMfcc, "--preemphasis-coefficient=0\n--remove-dc-offset=false"},
        Case{kMfcc, "--window-type=hamming"},
        Case{kMfcc, "--window-type=hanning"},
        Case{kMfcc, "--window-type=rectangular"},
        Case{kMfcc, "--window-type=sine"},
        Case{kMfcc, "--window-type=blackman\n--blackman-coeff=0.4"},
        Case{kFbank, "--use-energy=true\n--num-mel-bins=80"},
        Case{kFbank, "--use-energy=true\n--htk-compat=true"},
        Case{kFbank, "--use-log-fbank=false\n--use-power=false"},
        Case{kFbank, "--high-freq=3800\n--use-power=false"}));

} // namespace
