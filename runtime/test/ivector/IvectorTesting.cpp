//===- IvectorTesting.cpp - i-vectors in tests ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IvectorTesting.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <random>

using namespace nnet3::rt::test;

namespace {
/// Random numbers, the same on every machine.
class Draws {
public:
  explicit Draws(unsigned seed) : generator(seed) {}

  double uniform(double low, double high) {
    return low + (high - low) * double(generator() - 1) / 2147483646.0;
  }
  Rows matrix(int rows, int cols, double low, double high) {
    Rows result(rows, std::vector<double>(cols));
    for (auto &row : result)
      for (double &value : row)
        value = uniform(low, high);
    return result;
  }

private:
  std::minstd_rand generator;
};
} // namespace

TestExtractor::TestExtractor(const std::string &cmvnConfig) {
  char name[] = "/tmp/nnet3-ivector-XXXXXX";
  EXPECT_NE(mkdtemp(name), nullptr);
  folder = name;
  Draws draws(3);
  const int spliced = kFeatures * (kLeft + 1 + kRight);
  cmvnStatistics = draws.matrix(2, kFeatures + 1, 500, 900);
  cmvnStatistics[0][kFeatures] = kGlobalCount;
  for (double &value : cmvnStatistics[1])
    value += 2000;
  lda = draws.matrix(kLda, spliced + 1, -0.5, 0.5);
  means = draws.matrix(kGaussians, kLda, -1, 1);
  inverseVariances = draws.matrix(kGaussians, kLda, 0.5, 2);
  weights = draws.matrix(1, kGaussians, 0.05, 0.3)[0];
  for (int g = 0; g < kGaussians; ++g) {
    Rows projection = draws.matrix(kLda, kIvector, -0.4, 0.4);
    for (int e = 0; e < kLda; ++e)
      projection[e][0] = means[g][e] / kOffset;
    projections.push_back(projection);
    const Rows factor = draws.matrix(kLda, kLda, -0.5, 0.5);
    Rows inverse(kLda, std::vector<double>(kLda));
    for (int r = 0; r < kLda; ++r)
      for (int c = 0; c < kLda; ++c) {
        inverse[r][c] = r == c ? 1 : 0;
        for (int k = 0; k < kLda; ++k)
          inverse[r][c] += factor[r][k] * factor[c][k];
      }
    inverseCovariances.push_back(inverse);
  }
  write("splice.conf", "--left-context=2\n--right-context=1 # frames\n");
  write("cmvn.conf", cmvnConfig);
  write("cmvn.stats", show(cmvnStatistics));
  write("final.mat", show(lda));
  Rows scaled = means;
  for (int g = 0; g < kGaussians; ++g)
    for (int e = 0; e < kLda; ++e)
      scaled[g][e] *= inverseVariances[g][e];
  write("final.dubm", "<DiagGMM> \n<WEIGHTS> " + show({weights}) +
                          "<MEANS_INVVARS> " + show(scaled) + "<INV_VARS> " +
                          show(inverseVariances) + "</DiagGMM> \n");
  write("final.ie", writeExtractor());
}

TestExtractor::~TestExtractor() { std::filesystem::remove_all(folder); }

std::string TestExtractor::writeExtractor() const {
  std::string text = "<IvectorExtractor> <w>  [ ]\n<w_vec> " + show({weights});
  text += "<M> " + std::to_string(kGaussians) + " ";
  for (const Rows &projection : projections)
    text += show(projection);
  text += "<SigmaInv> ";
  for (Rows inverse : inverseCovariances) {
    for (int r = 0; r < kLda; ++r)
      inverse[r].resize(r + 1);
    text += show(inverse);
  }
  return text + "<IvectorOffset> " + std::to_string(kOffset) +
         " </IvectorExtractor> ";
}

std::string TestExtractor::show(const Rows &rows) {
  std::string text = " [";
  char number[40];
  for (const auto &row : rows) {
    text += "\n ";
    for (double value : row) {
      std::snprintf(number, sizeof(number), " %.17g", value);
      text += number;
    }
  }
  return text + " ]\n";
}

void TestExtractor::write(const std::string &file,
                          const std::string &text) const {
  std::FILE *out = std::fopen(getPath(file).c_str(), "wb");
  ASSERT_NE(out, nullptr);
  EXPECT_EQ(std::fwrite(text.data(), 1, text.size(), out), text.size());
  std::fclose(out);
}

std::vector<std::string>
TestExtractor::getOptions(const std::vector<std::string> &more) const {
  std::vector<std::string> options = {
      "--splice-config=" + getPath("splice.conf"),
      "--cmvn-config=" + getPath("cmvn.conf"),
      "--global-cmvn-stats=" + getPath("cmvn.stats"),
      "--lda-matrix=" + getPath("final.mat"),
      "--diag-ubm=" + getPath("final.dubm"),
      "--ivector-extractor=" + getPath("final.ie")};
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

static nnet3_ivector_status create(const std::vector<std::string> &options,
                                   nnet3_ivector *&ivector,
                                   std::string &error) {
  std::vector<const char *> arguments;
  for (const std::string &option : options)
    arguments.push_back(option.c_str());
  char message[1000] = "";
  const nnet3_ivector_status status = nnet3_ivector_create(
      arguments.data(), arguments.size(), &ivector, message, sizeof(message));
  error = message;
  return status;
}

IvectorPtr
nnet3::rt::test::makeIvector(const std::vector<std::string> &options) {
  nnet3_ivector *ivector = nullptr;
  std::string error;
  EXPECT_EQ(create(options, ivector, error), NNET3_IVECTOR_OK) << error;
  return {ivector, nnet3_ivector_destroy};
}

std::string nnet3::rt::test::getError(const std::vector<std::string> &options) {
  nnet3_ivector *ivector = nullptr;
  std::string error;
  EXPECT_EQ(create(options, ivector, error), NNET3_IVECTOR_INVALID_OPTION);
  EXPECT_EQ(ivector, nullptr);
  nnet3_ivector_destroy(ivector);
  return error;
}

IvectorStreamPtr nnet3::rt::test::openStream(const IvectorPtr &ivector) {
  nnet3_ivector_stream *stream = nullptr;
  EXPECT_EQ(nnet3_ivector_open(ivector.get(), &stream), NNET3_IVECTOR_OK);
  return {stream, nnet3_ivector_close};
}

std::vector<float> nnet3::rt::test::makeFrames(int64_t numFrames,
                                               unsigned seed) {
  Draws draws(seed);
  std::vector<float> frames(numFrames * TestExtractor::kFeatures);
  for (float &value : frames)
    value = static_cast<float>(draws.uniform(-2, 3));
  return frames;
}

std::vector<float>
nnet3::rt::test::computeAll(const IvectorPtr &ivector,
                            nnet3_ivector_stream *stream,
                            const std::vector<float> &frames) {
  const int32_t dim = nnet3_ivector_dim(ivector.get());
  const int64_t count =
      static_cast<int64_t>(frames.size()) / TestExtractor::kFeatures;
  std::vector<float> ivectors((count + 1) * dim);
  int64_t used = 0, pushed = 0, finished = 0;
  EXPECT_EQ(nnet3_ivector_push(stream, frames.data(), count,
                               TestExtractor::kFeatures, &used, ivectors.data(),
                               count, &pushed),
            NNET3_IVECTOR_OK);
  EXPECT_EQ(used, count);
  EXPECT_EQ(nnet3_ivector_finish(stream, ivectors.data() + pushed * dim,
                                 count + 1 - pushed, &finished),
            NNET3_IVECTOR_OK);
  ivectors.resize((pushed + finished) * dim);
  return ivectors;
}
