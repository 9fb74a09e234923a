//===- FrameTables.h - Constant tables of features --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_FEATURES_FRAMETABLES_H
#define NNET3_RUNTIME_FEATURES_FRAMETABLES_H

#include "Frames.h"
#include "MelFilters.h"

namespace nnet3 {
namespace rt {

/// Options, and the tables computed from them. Immutable, so that threads may
/// share an object.
class FrameTables {
public:
  /// \p options have been checked. \p error receives an error message.
  FrameTables(const FeatureOptions &options, std::string &error);

  const FeatureOptions options;
  const Frames frames;
  /// One factor for each sample of a frame.
  const std::vector<float> window;
  const MelFilters filters;
  /// Row k maps the log energies of the mel filters to the liftered cepstral
  /// coefficient k. Empty for fbank.
  const std::vector<float> cosines;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_FEATURES_FRAMETABLES_H
