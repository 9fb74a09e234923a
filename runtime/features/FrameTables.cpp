//===- FrameTables.cpp - Constant tables of features ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FrameTables.h"

#include <cmath>

using namespace nnet3::rt;

static constexpr double kPi = 3.14159265358979323846;

static double getWindowFactor(const FeatureOptions &options, int32_t i) {
  const double a = 2 * kPi * i / (options.getFrameSamples() - 1);
  switch (options.window) {
  case WindowType::Povey:
    return std::pow(0.5 - 0.5 * std::cos(a), 0.85);
  case WindowType::Hamming:
    return 0.54 - 0.46 * std::cos(a);
  case WindowType::Hanning:
    return 0.5 - 0.5 * std::cos(a);
  case WindowType::Rectangular:
    return 1;
  case WindowType::Sine:
    return std::sin(0.5 * a);
  case WindowType::Blackman:
    return options.blackmanCoefficient - 0.5 * std::cos(a) +
           (0.5 - options.blackmanCoefficient) * std::cos(2 * a);
  }
  return 1;
}

static std::vector<float> makeWindow(const FeatureOptions &options) {
  std::vector<float> window(options.getFrameSamples());
  for (size_t i = 0; i < window.size(); ++i)
    window[i] =
        static_cast<float>(getWindowFactor(options, static_cast<int32_t>(i)));
  return window;
}

static std::vector<float> makeCosines(const FeatureOptions &options) {
  std::vector<float> cosines;
  if (options.kind != FeatureKind::Mfcc)
    return cosines;
  const int32_t numBins = options.numMelBins;
  const double lifter = options.cepstralLifter;
  for (int32_t k = 0; k < options.numCepstra; ++k) {
    double scale = std::sqrt((k == 0 ? 1.0 : 2.0) / numBins);
    if (lifter != 0)
      scale *= 1 + 0.5 * lifter * std::sin(kPi * k / lifter);
    for (int32_t i = 0; i < numBins; ++i)
      cosines.push_back(
          static_cast<float>(scale * std::cos(kPi / numBins * (i + 0.5) * k)));
  }
  return cosines;
}

FrameTables::FrameTables(const FeatureOptions &options, std::string &error)
    : options(options), frames(options), window(makeWindow(options)),
      filters(options, error), cosines(makeCosines(options)) {}
