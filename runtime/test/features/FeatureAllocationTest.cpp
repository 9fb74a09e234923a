//===- FeatureAllocationTest.cpp - A frame allocates nothing --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FeatureTesting.h"
#include "test/support/CountAllocations.h"

#include <gtest/gtest.h>

using namespace nnet3::rt::test;

namespace {

TEST(FeatureAllocationTest, FramesAllocateNothing) {
  // A transform of 551 = 19 * 29 numbers needs memory of its own.
  for (const char *config :
       {"", "--dither=1\n--snip-edges=false",
        "--sample-frequency=44100\n--round-to-power-of-two=false"}) {
    const FeaturesPtr features = makeFeatures(NNET3_FEATURES_MFCC, config);
    const FeatureStreamPtr stream = openStream(features);
    const std::vector<float> samples = makeSound(8000, 1);
    std::vector<float> rows(60 * 13);
    int64_t used = 0, numRows = 0, numLast = 0;
    EXPECT_EQ(countAllocations([&] {
                nnet3_features_push(stream.get(), samples.data(), 8000, &used,
                                    rows.data(), 50, &numRows);
                nnet3_features_finish(stream.get(), rows.data(), 50, &numLast);
                nnet3_features_reset(stream.get());
              }),
              0);
    EXPECT_GT(numRows, 10);
  }
}

} // namespace
