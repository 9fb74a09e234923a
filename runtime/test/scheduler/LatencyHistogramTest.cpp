//===- LatencyHistogramTest.cpp - Histogram of durations ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "scheduler/LatencyHistogram.h"

#include <gtest/gtest.h>

using namespace nnet3::rt;

TEST(LatencyHistogramTest, Empty) {
  const LatencyHistogram histogram;
  EXPECT_EQ(histogram.getQuantile(0.5), 0);
  EXPECT_EQ(histogram.getMax(), 0);
}

TEST(LatencyHistogramTest, Quantiles) {
  LatencyHistogram histogram;
  for (int i = 1; i <= 1000; ++i)
    histogram.add(i * 1e-3);
  for (const double share : {0.01, 0.5, 0.9, 0.99}) {
    EXPECT_GE(histogram.getQuantile(share), share * (1 - 1e-9));
    EXPECT_LE(histogram.getQuantile(share), share * 1.04);
  }
  EXPECT_DOUBLE_EQ(histogram.getQuantile(1), 1);
  EXPECT_DOUBLE_EQ(histogram.getMax(), 1);
}

TEST(LatencyHistogramTest, EachMagnitude) {
  for (double seconds = 1e-6; seconds < 1e6; seconds *= 1.37) {
    LatencyHistogram histogram;
    histogram.add(seconds);
    histogram.add(1e9); // more than there are buckets for
    EXPECT_GE(histogram.getQuantile(0.5), seconds * (1 - 1e-9));
    EXPECT_LE(histogram.getQuantile(0.5), seconds * 1.04 + 1e-6);
  }
  LatencyHistogram histogram;
  histogram.add(-1);
  EXPECT_EQ(histogram.getQuantile(1), 0);
}
