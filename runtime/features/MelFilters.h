//===- MelFilters.h - Triangular mel filters --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_FEATURES_MELFILTERS_H
#define NNET3_RUNTIME_FEATURES_MELFILTERS_H

#include "FeatureOptions.h"

#include <vector>

namespace nnet3 {
namespace rt {

/// Triangular filters, equally spaced on the mel scale, 1127 ln(1 + f / 700
/// Hz). A triangle begins and ends at the peaks of its neighbours.
class MelFilters {
public:
  /// \p options have been checked. \p error receives an error message if a
  /// triangle contains no bin of the spectrum.
  MelFilters(const FeatureOptions &options, std::string &error);

  /// Computes the weighted sum of \p spectrum, bins from 0 Hz to below the
  /// Nyquist frequency, under each triangle.
  void apply(const float *spectrum, float *sums) const;

private:
  /// The bins under a triangle, and the offset of its weights.
  struct Filter {
    size_t firstBin, numBins, firstWeight;
  };

  std::vector<Filter> filters;
  std::vector<float> weights;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_FEATURES_MELFILTERS_H
