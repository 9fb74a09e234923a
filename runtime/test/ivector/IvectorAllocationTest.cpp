//===- IvectorAllocationTest.cpp - A frame allocates nothing --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IvectorTesting.h"
#include "test/support/CountAllocations.h"

#include <gtest/gtest.h>

using namespace nnet3::rt::test;

namespace {

TEST(IvectorAllocationTest, FramesAllocateNothing) {
  const TestExtractor extractor;
  for (const char *option :
       {"--use-most-recent-ivector=false", "--greedy-ivector-extractor=true",
        "--exact-solve=true"}) {
    const IvectorPtr ivector = makeIvector(
        extractor.getOptions({option, "--num-gselect=7", "--min-post=0"}));
    const IvectorStreamPtr stream = openStream(ivector);
    const std::vector<float> frames = makeFrames(1500, 1), ones(500, 1);
    std::vector<float> rows(200 * TestExtractor::kIvector);
    int64_t used = 0, written = 0, last = 0;
    EXPECT_EQ(countAllocations([&] {
                nnet3_ivector_change_weights(stream.get(), 0, ones.data(), 500);
                nnet3_ivector_push(stream.get(), frames.data(), 1500, 3, &used,
                                   rows.data(), 200, &written);
                nnet3_ivector_latest(stream.get(), rows.data());
                nnet3_ivector_finish(stream.get(), rows.data(), 200, &last);
                nnet3_ivector_next_utterance(stream.get());
                nnet3_ivector_reset(stream.get());
              }),
              0);
    EXPECT_EQ(used, 1500);
  }
}

} // namespace
