//===- IvectorStream.h - Frames to i-vectors as they come -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_IVECTOR_IVECTORSTREAM_H
#define NNET3_RUNTIME_IVECTOR_IVECTORSTREAM_H

#include "IvectorSolver.h"
#include "SplicedFrames.h"

namespace nnet3 {
namespace rt {

/// The utterances of one speaker. Allocates when it is made, and no more.
///
/// Frames are transformed in blocks, and added to the statistics when an
/// i-vector is due: then the Gaussians of several frames share the tables that
/// they read.
class IvectorStream {
public:
  explicit IvectorStream(const IvectorModel &model);

  /// Takes frames, and writes the i-vectors that depend on them. Stops where
  /// there is no room for another one. Returns how many frames it took;
  /// \p numIvectors becomes the number of i-vectors.
  int64_t push(ConstMatrixView rows, float *ivectors, int64_t maxIvectors,
               int64_t &numIvectors);

  /// Ends the utterance, and writes what is missing as far as there is room.
  int64_t finish(float *ivectors, int64_t maxIvectors);
  bool isFinished() const { return finished; }

  void writeLatest(float *ivector);

  /// Returns false if some of the frames are out of reach.
  bool changeWeights(int64_t firstFrame, const float *changes, int64_t count);

  int64_t getNumFrames() const { return frames.getNumPushed(); }
  double getLogLikelihood() const { return logLikelihood; }
  double computeImprovement() {
    return solver.computeImprovement(statistics, solution);
  }

  /// Begins an utterance of the same speaker, or of another one.
  void beginUtterance();
  void beginSpeaker();

  /// The speaker's state (spec: ivectors.md 7), between two utterances.
  FeatureSums &getSums() { return frames.getCmvn().getSpeaker(); }
  const FeatureSums &getSums() const { return frames.getCmvn().getSpeaker(); }
  IvectorStatistics &getStatistics() { return statistics; }
  const IvectorStatistics &getStatistics() const { return statistics; }

private:
  int64_t writeRows(float *ivectors, int64_t maxIvectors);
  void transformUpTo(int64_t end);
  void addUpTo(int64_t end);
  void addBlock(int32_t count);
  void estimateAt(int64_t end);
  void write(float *ivector) const;
  void clear();

  const IvectorModel &model;
  SplicedFrames frames;
  /// Transformed frames for the mixture and for the statistics, and the change
  /// of weight that is not in the statistics yet.
  FrameRing forMixture, forStatistics, changes;
  GaussianPosteriors posteriors;
  IvectorAccumulator accumulator;
  IvectorStatistics statistics;
  IvectorSolver solver;
  /// u, and the rows of a block.
  std::vector<double> solution;
  std::vector<float> mixtureRows, statisticsRows, weights;

  double logLikelihood = 0;
  /// Frames before `numTransformed` are transformed, those before
  /// `firstChanged` have no change, and the i-vectors of those before `nextRow`
  /// are written.
  int64_t numTransformed = 0, firstChanged = 0, nextRow = 0;
  /// Transformed frames when the latest i-vector was estimated.
  int64_t numEstimated = 0;
  bool hasWeights = false, finished = false;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_IVECTOR_IVECTORSTREAM_H
