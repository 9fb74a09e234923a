//===- MelFilters.cpp - Triangular mel filters ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MelFilters.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace nnet3::rt;

static float toMel(float frequency) {
  return 1127.0f * std::log(1.0f + frequency / 700.0f);
}

static float fromMel(float mel) {
  return 700.0f * (std::exp(mel / 1127.0f) - 1.0f);
}

namespace {
/// Vocal tract length normalisation: a piecewise linear map that divides the
/// middle frequencies by a factor and keeps both ends.
class Warping {
public:
  explicit Warping(const FeatureOptions &options)
      : factor(options.vtlnWarp), low(options.lowFrequency),
        high(options.fromNyquist(options.highFrequency)),
        left(options.vtlnLow * std::max(1.0f, factor)),
        right((options.vtlnHigh < 0 ? options.getNyquist() + options.vtlnHigh
                                    : options.vtlnHigh) *
              std::min(1.0f, factor)) {}

  float warpMel(float mel) const {
    return factor == 1 ? mel : toMel(warp(fromMel(mel)));
  }

private:
  float warp(float frequency) const {
    if (frequency < low || frequency > high)
      return frequency;
    if (frequency < left)
      return low + (left / factor - low) / (left - low) * (frequency - low);
    if (frequency < right)
      return frequency / factor;
    return high - (high - right / factor) / (high - right) * (high - frequency);
  }

  float factor, low, high, left, right;
};
} // namespace

MelFilters::MelFilters(const FeatureOptions &options, std::string &error) {
  const int32_t numBins = options.getPaddedSamples() / 2;
  const float binWidth = options.sampleFrequency / options.getPaddedSamples();
  const float low = toMel(options.lowFrequency);
  const float high = toMel(options.fromNyquist(options.highFrequency));
  const float step = (high - low) / (options.numMelBins + 1);
  const Warping warping(options);
  for (int32_t i = 0; i < options.numMelBins; ++i) {
    const float left = warping.warpMel(low + i * step);
    const float peak = warping.warpMel(low + (i + 1) * step);
    const float right = warping.warpMel(low + (i + 2) * step);
    Filter filter{0, 0, weights.size()};
    for (int32_t bin = 0; bin < numBins; ++bin) {
      const float mel = toMel(binWidth * bin);
      if (mel <= left || mel >= right)
        continue;
      if (filter.numBins++ == 0)
        filter.firstBin = bin;
      weights.push_back(mel <= peak ? (mel - left) / (peak - left)
                                    : (right - mel) / (right - peak));
    }
    if (filter.numBins == 0) {
      error = "--num-mel-bins=" + std::to_string(options.numMelBins) +
              " is too large: filter " + std::to_string(i) +
              " lies between two bins of the spectrum";
      return;
    }
    filters.push_back(filter);
  }
}

void MelFilters::apply(const float *spectrum, float *sums) const {
  for (const Filter &filter : filters) {
    const float *first = weights.data() + filter.firstWeight;
    *sums++ = std::inner_product(first, first + filter.numBins,
                                 spectrum + filter.firstBin, 0.0f);
  }
}
