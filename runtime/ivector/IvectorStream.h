//===- IvectorStream.h - Streaming i-vector extraction ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_IVECTOR_IVECTORSTREAM_H
#define NNET3_RUNTIME_IVECTOR_IVECTORSTREAM_H

#include "IvectorSolver.h"
#include "SplicedFrames.h"

namespace nnet3 {
namespace rt {

/// The utterances of one speaker. Only the constructor allocates.
///
/// Frames are transformed in blocks, and added to the statistics when an
/// i-vector is due, so that several frames share reads of the Gaussians'
/// tables.
class IvectorStream {
public:
  explicit IvectorStream(const IvectorModel &model);

  /// Adds frames, and writes the i-vectors that they complete. Stops when
  /// \p ivectors is full. Returns the number of added frames; \p numIvectors
  /// receives the number of i-vectors.
  int64_t push(ConstMatrixView rows, float *ivectors, int64_t maxIvectors,
               int64_t &numIvectors);

  /// Ends the utterance, and writes at most \p maxIvectors of the remaining
  /// i-vectors. Returns their number.
  int64_t finish(float *ivectors, int64_t maxIvectors);
  bool isFinished() const { return finished; }

  void writeLatest(float *ivector);

  /// Returns false if frames are out of reach, or if the first call of an
  /// utterance comes after its first frame.
  bool changeWeights(int64_t firstFrame, const float *changes, int64_t count);

  int64_t getNumFrames() const { return frames.getNumPushed(); }
  double getLogLikelihood() const { return logLikelihood; }
  double computeImprovement() {
    return solver.computeImprovement(statistics, solution);
  }

  /// Starts an utterance of the same speaker, or of another one.
  void beginUtterance();
  void beginSpeaker();

  /// The speaker's state (spec: ivectors.md 7), valid between two utterances.
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
  /// Transformed frames for the UBM and for the statistics, and the changes of
  /// weight that are not in the statistics yet.
  FrameRing forMixture, forStatistics, changes;
  GaussianPosteriors posteriors;
  IvectorAccumulator accumulator;
  IvectorStatistics statistics;
  IvectorSolver solver;
  /// `solution` is u; the others are the rows and weights of a block.
  std::vector<double> solution;
  std::vector<float> mixtureRows, statisticsRows, weights;

  double logLikelihood = 0;
  /// Frames before `numTransformed` are transformed, frames before
  /// `firstChanged` have no pending change of weight, and the i-vectors of
  /// frames before `nextRow` are written.
  int64_t numTransformed = 0, firstChanged = 0, nextRow = 0;
  /// Number of frames in the latest i-vector.
  int64_t numEstimated = 0;
  bool hasWeights = false, finished = false;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_IVECTOR_IVECTORSTREAM_H
