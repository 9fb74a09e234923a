//===- IvectorTesting.h - i-vectors in tests --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TEST_IVECTOR_IVECTORTESTING_H
#define NNET3_RUNTIME_TEST_IVECTOR_IVECTORTESTING_H

#include "nnet3/runtime/nnet3_ivector.h"

#include <memory>
#include <string>
#include <vector>

namespace nnet3 {
namespace rt {
namespace test {

using IvectorPtr =
    std::unique_ptr<nnet3_ivector, decltype(&nnet3_ivector_destroy)>;
using IvectorStreamPtr =
    std::unique_ptr<nnet3_ivector_stream, decltype(&nnet3_ivector_close)>;
using Rows = std::vector<std::vector<double>>;

/// Random files of an extractor, in text, in a folder of their own that is
/// removed in the end.
class TestExtractor {
public:
  explicit TestExtractor(const std::string &cmvnConfig = "");
  ~TestExtractor();

  static constexpr int kFeatures = 3, kLeft = 2, kRight = 1, kLda = 5,
                       kGaussians = 7, kIvector = 6;
  static constexpr double kOffset = 20, kGlobalCount = 1000;

  std::string getPath(const std::string &file) const {
    return folder + "/" + file;
  }
  void write(const std::string &file, const std::string &text) const;
  static std::string show(const Rows &rows);

  /// The six files, before \p more.
  std::vector<std::string>
  getOptions(const std::vector<std::string> &more) const;

  /// 2 x (kFeatures + 1), kLda x (spliced + 1), kGaussians x kLda twice.
  Rows cmvnStatistics, lda, means, inverseVariances;
  std::vector<double> weights;
  /// For each Gaussian kLda x kIvector, and kLda x kLda.
  std::vector<Rows> projections, inverseCovariances;

private:
  std::string writeExtractor() const;

  std::string folder;
};

/// Creates an extractor; fails the test on errors.
IvectorPtr makeIvector(const std::vector<std::string> &options);
/// Returns the error of wrong options; fails the test if there is none.
std::string getError(const std::vector<std::string> &options);
IvectorStreamPtr openStream(const IvectorPtr &ivector);

/// Makes contiguous frames of TestExtractor::kFeatures numbers.
std::vector<float> makeFrames(int64_t numFrames, unsigned seed);

/// Returns the contiguous i-vectors of an utterance, pushed and finished at
/// once.
std::vector<float> computeAll(const IvectorPtr &ivector,
                              nnet3_ivector_stream *stream,
                              const std::vector<float> &frames);

} // namespace test
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_IVECTOR_IVECTORTESTING_H
