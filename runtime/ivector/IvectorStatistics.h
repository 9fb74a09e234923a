//===- IvectorStatistics.h - Statistics of i-vectors ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_IVECTOR_IVECTORSTATISTICS_H
#define NNET3_RUNTIME_IVECTOR_IVECTORSTATISTICS_H

#include "GaussianPosteriors.h"

namespace nnet3 {
namespace rt {

/// The statistics of u = v - o e_0, without the prior (spec: ivectors.md 4):
///
///     quadratic = sum gamma U_g      linear = sum gamma B_g' (y - o M_g e_0)
///
/// so that u solves (quadratic + r I) u = linear. The prior's term r o e_0 of
/// Kaldi's linear statistics cancels against r I at v = o e_0.
struct IvectorStatistics {
  explicit IvectorStatistics(const IvectorModel &model);

  void clear();
  void scale(double factor);

  /// Returns r, the scale of the prior.
  double getPriorScale(double maxCount) const {
    return maxCount > 0 && count > maxCount ? count / maxCount : 1;
  }

  double count = 0;
  /// `quadratic` is a packed lower triangle.
  std::vector<double> linear, quadratic;
};

/// Adds blocks of frames to statistics.
class IvectorAccumulator {
public:
  IvectorAccumulator(const IvectorModel &model, int32_t mostFrames);

  /// Records the posteriors, times \p scale, of row \p frame of the next call
  /// of add().
  void note(int32_t frame, const std::vector<GaussianPosterior> &posteriors,
            float scale);

  /// Adds the recorded posteriors with \p frames, whose rows are features for
  /// the statistics. Reads the tables of a Gaussian once for all frames.
  void add(ConstMatrixView frames, IvectorStatistics &statistics);

private:
  struct Entry {
    int32_t gaussian, frame;
    double weight;
  };

  const IvectorModel &model;
  std::vector<Entry> entries;
  /// For each recorded Gaussian: the weighted sum of the differences from its
  /// mean, and the rows of its linear table.
  std::vector<double> differences;
  std::vector<const float *> linearRows;
  /// The weights of these Gaussians, and their quadratic tables.
  std::vector<double> weights;
  std::vector<const float *> quadraticRows;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_IVECTOR_IVECTORSTATISTICS_H
