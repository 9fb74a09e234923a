//===- GaussianPosteriors.h - Which Gaussians a frame belongs to *- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_IVECTOR_GAUSSIANPOSTERIORS_H
#define NNET3_RUNTIME_IVECTOR_GAUSSIANPOSTERIORS_H

#include "IvectorModel.h"

namespace nnet3 {
namespace rt {

/// A Gaussian, and how much of a frame counts for it.
struct GaussianPosterior {
  int32_t gaussian;
  float value;
};

/// Chooses the Gaussians of frames (spec: ivectors.md 3).
class GaussianPosteriors {
public:
  explicit GaussianPosteriors(const IvectorModel &model, int32_t mostFrames);

  /// Computes the log-likelihoods of frames, given as rows for the mixture.
  void computeLikelihoods(ConstMatrixView frames);

  /// The kept Gaussians of one of these frames, with posteriors whose sum is 1;
  /// valid until the next call. \p logLikelihood becomes that of the frame.
  const std::vector<GaussianPosterior> &select(int32_t frame, float weight,
                                               double &logLikelihood);

private:
  const IvectorModel &model;
  /// Frames beside their squares.
  std::vector<float> squared;
  /// A row has log-likelihoods of all Gaussians, then -inf.
  int32_t numPadded;
  std::vector<float> likelihoods;
  /// The largest of each sixteen of a frame; most of the others can be skipped.
  std::vector<float> maxima;
  std::vector<GaussianPosterior> kept;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_IVECTOR_GAUSSIANPOSTERIORS_H
