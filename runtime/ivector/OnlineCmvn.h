//===- OnlineCmvn.h - Online CMVN -------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_IVECTOR_ONLINECMVN_H
#define NNET3_RUNTIME_IVECTOR_ONLINECMVN_H

#include "FrameRing.h"
#include "IvectorModel.h"

namespace nnet3 {
namespace rt {

/// Sums over frames in double precision.
struct FeatureSums {
  explicit FeatureSums(int64_t dim) : sum(dim), squares(dim) {}

  void clear();
  void add(const float *row, double scale);
  /// Adds other sums scaled by \p scale; their count becomes \p frames.
  void add(const std::vector<double> &otherSum,
           const std::vector<double> &otherSquares, double scale,
           double frames);
  void scale(double factor);

  std::vector<double> sum, squares;
  double count = 0;
};

/// Normalises each frame by the statistics of the window that ends with it.
/// Short windows are filled up from the speaker's and from the global
/// statistics (spec: ivectors.md 2).
class OnlineCmvn {
public:
  explicit OnlineCmvn(const IvectorModel &model);

  /// Writes the normalised next frame to \p out. \p rows must have the frames
  /// of the window and the one before it.
  void normalise(const FrameRing &rows, float *out);

  /// Starts an utterance. Adds the last one to the speaker's statistics, which
  /// are scaled down to at most \p maxFrames frames.
  void beginUtterance(double maxFrames);
  /// Starts an utterance of a new speaker, without statistics.
  void beginSpeaker();

  /// The statistics of the speaker's earlier utterances.
  FeatureSums &getSpeaker() { return speaker; }
  const FeatureSums &getSpeaker() const { return speaker; }

private:
  void fill(FeatureSums &total) const;

  const IvectorModel &model;
  std::vector<char> isSkipped;
  /// Sums over the window, the utterance, and the speaker's earlier utterances;
  /// `total` is the window, filled up.
  FeatureSums window, utterance, speaker, total;
  int64_t numFrames = 0;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_IVECTOR_ONLINECMVN_H
