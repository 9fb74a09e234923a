//===- OnlineCmvn.h - Normalisation of live features ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_IVECTOR_ONLINECMVN_H
#define NNET3_RUNTIME_IVECTOR_ONLINECMVN_H

#include "FrameRing.h"
#include "IvectorModel.h"

namespace nnet3 {
namespace rt {

/// Sums over frames, in double.
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

/// Normalises each frame by the window that ends in it, filled up with earlier
/// frames of the speaker and with global statistics (spec: ivectors.md 2).
class OnlineCmvn {
public:
  explicit OnlineCmvn(const IvectorModel &model);

  /// Normalises the frame after the last one to \p out. \p rows has the frames
  /// of the window and the one before it.
  void normalise(const FrameRing &rows, float *out);

  /// Begins an utterance; the last one becomes part of the speaker's
  /// statistics, of which \p maxFrames count at most.
  void beginUtterance(double maxFrames);
  /// Begins an utterance without any.
  void beginSpeaker();

  /// The statistics of the speaker's earlier utterances.
  FeatureSums &getSpeaker() { return speaker; }
  const FeatureSums &getSpeaker() const { return speaker; }

private:
  void fill(FeatureSums &total) const;

  const IvectorModel &model;
  std::vector<char> isSkipped;
  /// The frames of the window, of the utterance, and of earlier ones.
  FeatureSums window, utterance, speaker, total;
  int64_t numFrames = 0;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_IVECTOR_ONLINECMVN_H
