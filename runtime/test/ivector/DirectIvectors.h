//===- DirectIvectors.h - i-vectors by their definition ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TEST_IVECTOR_DIRECTIVECTORS_H
#define NNET3_RUNTIME_TEST_IVECTOR_DIRECTIVECTORS_H

#include "IvectorTesting.h"
#include "ivector/IvectorOptions.h"

namespace nnet3 {
namespace rt {
namespace test {

/// i-vectors in double precision, with the prior in the statistics and an exact
/// solution, one for each period of frames (spec: ivectors.md 2 to 7).
class DirectIvectors {
public:
  DirectIvectors(const TestExtractor &extractor, const IvectorOptions &options,
                 const CmvnOptions &cmvn);

  /// The next utterance of the speaker.
  std::vector<double> compute(const std::vector<float> &frames);

private:
  Rows normalise(const Rows &frames) const;
  Rows transform(const Rows &frames) const;
  std::vector<double> computePosteriors(const std::vector<double> &z) const;
  void add(const std::vector<double> &z, const std::vector<double> &y);
  std::vector<double> solve() const;
  void endUtterance(const Rows &frames);

  const TestExtractor &extractor;
  IvectorOptions options;
  CmvnOptions cmvn;
  /// 2 x (features + 1) of earlier utterances.
  Rows speaker;
  double count = 0;
  std::vector<double> linear;
  Rows quadratic;
};

} // namespace test
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_IVECTOR_DIRECTIVECTORS_H
