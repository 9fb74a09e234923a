//===- IvectorSpeakerTest.cpp - States of speakers ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IvectorTesting.h"

#include <gtest/gtest.h>

using namespace nnet3::rt::test;

namespace {

TEST(IvectorSpeakerTest, StoredSpeakersGoOn) {
  const TestExtractor extractor;
  for (const char *option : {"--max-count=0", "--max-count=2"}) {
    const IvectorPtr ivector = makeIvector(
        extractor.getOptions({"--use-most-recent-ivector=false", option}));
    const IvectorStreamPtr stream = openStream(ivector);
    const IvectorStreamPtr other = openStream(ivector);
    const std::vector<float> second = makeFrames(60, 2);
    const std::vector<float> fresh = computeAll(ivector, other.get(), second);
    computeAll(ivector, stream.get(), makeFrames(80, 1));
    nnet3_ivector_next_utterance(stream.get());
    std::vector<char> state(nnet3_ivector_speaker_bytes(ivector.get()));
    ASSERT_EQ(
        nnet3_ivector_get_speaker(stream.get(), state.data(), state.size()),
        NNET3_IVECTOR_OK);
    const std::vector<float> expected =
        computeAll(ivector, stream.get(), second);
    ASSERT_EQ(
        nnet3_ivector_set_speaker(other.get(), state.data(), state.size()),
        NNET3_IVECTOR_OK);
    const std::vector<float> found = computeAll(ivector, other.get(), second);
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i)
      EXPECT_NEAR(found[i], expected[i], 1e-6);
    EXPECT_NE(found, fresh);
    // Another speaker begins with nothing.
    nnet3_ivector_reset(other.get());
    EXPECT_EQ(computeAll(ivector, other.get(), second), fresh);
  }
}

TEST(IvectorSpeakerTest, NewSpeakersOfServers) {
  // Kaldi stores empty matrices for these, and older servers no <MaxCount>.
  const TestExtractor extractor;
  const IvectorPtr ivector =
      makeIvector(extractor.getOptions({"--use-most-recent-ivector=false"}));
  const IvectorStreamPtr stream = openStream(ivector);
  const std::string text =
      "<OnlineIvectorExtractorAdaptationState> <CmvnState> <OnlineCmvnState> "
      "<SpeakerCmvnStats>  [ ]\n<GlobalCmvnStats>  [ ]\n<FrozenState>  [ ]\n"
      "</OnlineCmvnState> <IvectorStats> <OnlineIvectorEstimationStats> "
      "<PriorOffset> 20 <NumFrames> 0 <QuadraticTerm> [\n1\n0 1\n0 0 1\n"
      "0 0 0 1\n0 0 0 0 1\n0 0 0 0 0 1 ]\n<LinearTerm>  [ 20 0 0 0 0 0 ]\n"
      "</OnlineIvectorEstimationStats> "
      "</OnlineIvectorExtractorAdaptationState> ";
  const std::vector<float> frames = makeFrames(60, 2);
  const std::vector<float> expected = computeAll(ivector, stream.get(), frames);
  ASSERT_EQ(nnet3_ivector_set_speaker(stream.get(), text.data(), text.size()),
            NNET3_IVECTOR_OK);
  EXPECT_EQ(computeAll(ivector, stream.get(), frames), expected);
}

TEST(IvectorSpeakerTest, DamagedStatesChangeNothing) {
  const TestExtractor extractor;
  const IvectorPtr ivector =
      makeIvector(extractor.getOptions({"--use-most-recent-ivector=false"}));
  const IvectorStreamPtr stream = openStream(ivector);
  computeAll(ivector, stream.get(), makeFrames(80, 1));
  nnet3_ivector_next_utterance(stream.get());
  std::vector<char> state(nnet3_ivector_speaker_bytes(ivector.get()));
  nnet3_ivector_get_speaker(stream.get(), state.data(), state.size());
  // The last byte is a blank.
  for (size_t size = 0; size + 1 < state.size(); ++size)
    EXPECT_EQ(nnet3_ivector_set_speaker(stream.get(), state.data(), size),
              NNET3_IVECTOR_WRONG_STATE);
  std::vector<char> again(state.size());
  nnet3_ivector_get_speaker(stream.get(), again.data(), again.size());
  EXPECT_EQ(again, state);
  EXPECT_EQ(
      nnet3_ivector_get_speaker(stream.get(), again.data(), again.size() - 1),
      NNET3_IVECTOR_INVALID_ARGUMENT);
  // The state is not available within an utterance.
  computeAll(ivector, stream.get(), makeFrames(5, 1));
  EXPECT_EQ(nnet3_ivector_get_speaker(stream.get(), again.data(), again.size()),
            NNET3_IVECTOR_INVALID_ARGUMENT);
}

} // namespace
