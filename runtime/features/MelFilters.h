//===- MelFilters.h - Triangles on the mel scale ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_FEATURES_MELFILTERS_H
#define NNET3_RUNTIME_FEATURES_MELFILTERS_H

#include "FeatureOptions.h"

#include <vector>

namespace nnet3 {
namespace rt {

/// Sums of the spectrum under triangles whose corners are equally far apart on
/// the mel scale, 1127 ln(1 + f / 700 Hz). A triangle begins and ends at the
/// peaks of its neighbours.
class MelFilters {
public:
  /// \p options have been checked. \p error becomes what is wrong, if a
  /// triangle lies between two bins of the spectrum.
  MelFilters(const FeatureOptions &options, std::string &error);

  /// Adds \p spectrum, bins from 0 Hz to below the Nyquist frequency, up under
  /// each triangle.
  void apply(const float *spectrum, float *sums) const;

private:
  /// The bins under a triangle, and where its weights begin.
  struct Filter {
    size_t firstBin, numBins, firstWeight;
  };

  std::vector<Filter> filters;
  std::vector<float> weights;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_FEATURES_MELFILTERS_H
