//===- IvectorStatistics.h - Sums that i-vectors are estimated from -------===//
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
/// so that u solves (quadratic + r I) u = linear. The part of the prior's
/// offset in Kaldi's linear term, r o e_0, is that of r I at v = o e_0.
struct IvectorStatistics {
  explicit IvectorStatistics(const IvectorModel &model);

  void clear();
  void scale(double factor);

  /// r, by which the prior is scaled.
  double getPriorScale(double maxCount) const {
    return maxCount > 0 && count > maxCount ? count / maxCount : 1;
  }

  double count = 0;
  /// The lower triangle by rows.
  std::vector<double> linear, quadratic;
};

/// Adds frames to statistics.
class IvectorAccumulator {
public:
  IvectorAccumulator(const IvectorModel &model, int32_t mostFrames);

  /// Notes that so much of Gaussians \p posteriors counts for frame \p frame of
  /// the next call of add().
  void note(int32_t frame, const std::vector<GaussianPosterior> &posteriors,
            float scale);

  /// Adds what was noted; \p frames are rows for the statistics. A Gaussian's
  /// tables are read once for all frames.
  void add(ConstMatrixView frames, IvectorStatistics &statistics);

private:
  struct Entry {
    int32_t gaussian, frame;
    double weight;
  };

  const IvectorModel &model;
  std::vector<Entry> entries;
  /// For each Gaussian that was noted: the weighted sum of the differences from
  /// its mean, and the rows of its linear table.
  std::vector<double> differences;
  std::vector<const float *> linearRows;
  /// The weights of these Gaussians, and their quadratic tables.
  std::vector<double> weights;
  std::vector<const float *> quadraticRows;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_IVECTOR_IVECTORSTATISTICS_H
