//===- FeatureStream.h - Streaming features ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_FEATURES_FEATURESTREAM_H
#define NNET3_RUNTIME_FEATURES_FEATURESTREAM_H

#include "FrameComputer.h"

namespace nnet3 {
namespace rt {

/// The features of one stream of samples. Keeps the samples that later frames
/// read, at most one frame. Only the constructor allocates.
class FeatureStream {
public:
  explicit FeatureStream(const FrameTables &tables);

  /// Adds samples, and computes the frames that they complete. Stops when
  /// \p rows is full. Returns the number of consumed samples; \p numRows
  /// receives the number of rows.
  int64_t push(const float *data, int64_t count, float *rows, int64_t maxRows,
               int64_t &numRows);

  /// Computes at most \p maxRows of the frames that mirror the end of the
  /// samples. Returns the number of rows.
  int64_t finish(float *rows, int64_t maxRows);

  bool isFinished() const { return finished; }
  void reset();

private:
  /// Appends samples until the next frame is complete; returns their number.
  int64_t fill(const float *data, int64_t count);
  void computeNext(float *row);

  const FrameTables &tables;
  FrameComputer computer;
  /// Samples `firstSample` to `numSamples` - 1.
  std::vector<float> samples;
  int64_t firstSample, numSamples = 0, nextFrame = 0;
  bool finished = false;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_FEATURES_FEATURESTREAM_H
