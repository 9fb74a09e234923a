//===- GaussianPosteriors.h - Posteriors of the UBM's Gaussians -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_IVECTOR_GAUSSIANPOSTERIORS_H
#define NNET3_RUNTIME_IVECTOR_GAUSSIANPOSTERIORS_H

#include "IvectorModel.h"

namespace nnet3 {
namespace rt {

/// A Gaussian and its posterior in a frame.
struct GaussianPosterior {
  int32_t gaussian;
  float value;
};

/// Selects the Gaussians of frames and computes their posteriors (spec:
/// ivectors.md 3).
class GaussianPosteriors {
public:
  explicit GaussianPosteriors(const IvectorModel &model, int32_t mostFrames);

  /// Computes the log-likelihoods of frames, whose rows are features of the
  /// UBM.
  void computeLikelihoods(ConstMatrixView frames);

  /// Returns the selected Gaussians of one of these frames, with posteriors
  /// that sum to 1; valid until the next call. \p logLikelihood receives the
  /// frame's log-likelihood.
  const std::vector<GaussianPosterior> &select(int32_t frame, float weight,
                                               double &logLikelihood);

private:
  const IvectorModel &model;
  /// Each row is a frame x followed by -0.5 x^2.
  std::vector<float> squared;
  /// Each row has the log-likelihoods of all Gaussians, padded with -inf.
  int32_t numPadded;
  std::vector<float> likelihoods;
  /// Maxima of groups of sixteen Gaussians, to skip most groups.
  std::vector<float> maxima;
  std::vector<GaussianPosterior> kept;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_IVECTOR_GAUSSIANPOSTERIORS_H
