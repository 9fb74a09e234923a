//===- FeatureStream.h - Samples to features as they come -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_FEATURES_FEATURESTREAM_H
#define NNET3_RUNTIME_FEATURES_FEATURESTREAM_H

#include "FrameComputer.h"

namespace nnet3 {
namespace rt {

/// The features of one stream of samples. Keeps the samples that later frames
/// read, one frame of them at most. Allocates when it is made, and no more.
class FeatureStream {
public:
  explicit FeatureStream(const FrameTables &tables);

  /// Takes samples, and computes the frames that end in them. Stops where
  /// there is no room for another row. Returns how many samples it took;
  /// \p numRows becomes the number of rows.
  int64_t push(const float *data, int64_t count, float *rows, int64_t maxRows,
               int64_t &numRows);

  /// Computes the frames that are mirrored at the end of the samples, as far
  /// as there is room. Returns the number of rows.
  int64_t finish(float *rows, int64_t maxRows);

  bool isFinished() const { return finished; }
  void reset();

private:
  /// Appends samples until the next frame is complete; returns how many.
  int64_t fill(const float *data, int64_t count);
  void computeNext(float *row);

  const FrameTables &tables;
  FrameComputer computer;
  /// Samples from `firstSample` to below `numSamples`.
  std::vector<float> samples;
  int64_t firstSample, numSamples = 0, nextFrame = 0;
  bool finished = false;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_FEATURES_FEATURESTREAM_H
