//===- Frames.h - Positions of frames in the samples ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_FEATURES_FRAMES_H
#define NNET3_RUNTIME_FEATURES_FRAMES_H

#include "FeatureOptions.h"

#include <algorithm>

namespace nnet3 {
namespace rt {

/// Positions of frames, in samples.
struct Frames {
  explicit Frames(const FeatureOptions &options)
      : samples(options.getFrameSamples()), shift(options.getShiftSamples()),
        snipEdges(options.snipEdges) {}

  /// The first sample of frame \p frame; negative for mirrored samples.
  int64_t getBegin(int64_t frame) const {
    return frame * shift + (snipEdges ? 0 : shift / 2 - samples / 2);
  }
  int64_t getEnd(int64_t frame) const { return getBegin(frame) + samples; }

  /// Number of frames of \p numSamples samples.
  int64_t count(int64_t numSamples) const {
    if (!snipEdges)
      return (numSamples + shift / 2) / shift;
    return numSamples < samples ? 0 : 1 + (numSamples - samples) / shift;
  }

  /// Mirrors \p sample at both ends into 0 to \p numSamples - 1.
  static int64_t mirror(int64_t sample, int64_t numSamples) {
    while (sample < 0 || sample >= numSamples)
      sample = sample < 0 ? -sample - 1 : 2 * numSamples - 1 - sample;
    return sample;
  }

  /// The first sample that frames from \p frame on read.
  int64_t getFirstRead(int64_t frame) const {
    // Frames of an odd number of samples also mirror the sample before them.
    return std::max<int64_t>(0, getBegin(frame) - 1);
  }

  int64_t samples, shift;
  bool snipEdges;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_FEATURES_FRAMES_H
