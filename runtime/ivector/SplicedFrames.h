//===- SplicedFrames.h - Splicing and LDA of features -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_IVECTOR_SPLICEDFRAMES_H
#define NNET3_RUNTIME_IVECTOR_SPLICEDFRAMES_H

#include "OnlineCmvn.h"

namespace nnet3 {
namespace rt {

/// Splices and transforms frames by LDA, with and without CMVN (spec:
/// ivectors.md 2). Transforms several frames at a time.
class SplicedFrames {
public:
  /// Largest number of frames in a call of transform().
  static constexpr int32_t kMostFrames = 64;

  explicit SplicedFrames(const IvectorModel &model);

  /// Adds the next frame.
  void push(const float *row);
  int64_t getNumPushed() const { return numPushed; }

  /// Number of frames whose right context is there, or all if \p isFinished.
  int64_t countReady(bool isFinished) const;

  /// Transforms \p count frames from \p first on, which must be ready:
  /// normalised features for the UBM to \p forMixture, and features for the
  /// statistics to
  /// \p forStatistics.
  void transform(int64_t first, int32_t count, MatrixView forMixture,
                 MatrixView forStatistics);

  OnlineCmvn &getCmvn() { return cmvn; }
  const OnlineCmvn &getCmvn() const { return cmvn; }
  /// Starts an utterance.
  void clear() { numPushed = 0; }

private:
  void transform(const FrameRing &rows, int64_t first, MatrixView out);

  const IvectorModel &model;
  OnlineCmvn cmvn;
  FrameRing plain, normalised;
  std::vector<float> spliced;
  int64_t numPushed = 0;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_IVECTOR_SPLICEDFRAMES_H
