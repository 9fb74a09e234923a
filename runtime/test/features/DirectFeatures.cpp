//===- DirectFeatures.cpp - Features by their definition ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DirectFeatures.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace nnet3::rt;

using Vector = std::vector<double>;

static const double kPi = std::acos(-1.0);

static double toLog(double energy) {
  return std::log(
      std::max<double>(energy, std::numeric_limits<float>::epsilon()));
}

static double getEnergy(const Vector &x) {
  double sum = 0;
  for (double value : x)
    sum += value * value;
  return toLog(sum);
}

static double getFactor(const FeatureOptions &o, double i, double length) {
  const double a = 2 * kPi * i / (length - 1);
  const double hann = 0.5 - 0.5 * std::cos(a);
  switch (o.window) {
  case WindowType::Povey:
    return std::pow(hann, 0.85);
  case WindowType::Hamming:
    return 0.54 - 0.46 * std::cos(a);
  case WindowType::Hanning:
    return hann;
  case WindowType::Rectangular:
    return 1;
  case WindowType::Sine:
    return std::sin(a / 2);
  case WindowType::Blackman:
    return o.blackmanCoefficient - 0.5 * std::cos(a) +
           (0.5 - o.blackmanCoefficient) * std::cos(2 * a);
  }
  return 0;
}

/// The samples of frame \p frame, mirrored at the ends.
static Vector takeFrame(const FeatureOptions &o, const std::vector<float> &all,
                        int64_t frame) {
  const int64_t length = o.getFrameSamples(), shift = o.getShiftSamples();
  const int64_t begin =
      o.snipEdges ? frame * shift : frame * shift + shift / 2 - length / 2;
  const int64_t count = static_cast<int64_t>(all.size());
  Vector x;
  for (int64_t i = begin; i < begin + length; ++i) {
    // The samples repeat, every other time backwards.
    const int64_t place = ((i % (2 * count)) + 2 * count) % (2 * count);
    x.push_back(all[place < count ? place : 2 * count - 1 - place]);
  }
  return x;
}

static Vector getFilterEnergies(const FeatureOptions &o, const Vector &x) {
  const int32_t padded = o.getPaddedSamples();
  const auto mel = [](double f) { return 1127 * std::log(1 + f / 700); };
  const double low = mel(o.lowFrequency);
  const double step =
      (mel(o.fromNyquist(o.highFrequency)) - low) / (o.numMelBins + 1);
  Vector sums(o.numMelBins);
  for (int32_t bin = 0; bin < padded / 2; ++bin) {
    double re = 0, im = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      const double phase = 2 * kPi * bin * static_cast<double>(i) / padded;
      re += x[i] * std::cos(phase);
      im += x[i] * std::sin(phase);
    }
    const double power = re * re + im * im;
    const double at = mel(bin * o.sampleFrequency / double(padded));
    for (int32_t filter = 0; filter < o.numMelBins; ++filter) {
      const double fromPeak = (at - low) / step - (filter + 1);
      sums[filter] += std::max(0.0, 1 - std::fabs(fromPeak)) *
                      (o.usePower ? power : std::sqrt(power));
    }
  }
  if (o.useLog)
    for (double &sum : sums)
      sum = toLog(sum);
  return sums;
}

static Vector getCepstra(const FeatureOptions &o, const Vector &sums) {
  Vector cepstra;
  for (int32_t k = 0; k < o.numCepstra; ++k) {
    double sum = 0;
    for (int32_t i = 0; i < o.numMelBins; ++i)
      sum += sums[i] * std::cos(kPi * k * (i + 0.5) / o.numMelBins);
    const double q = o.cepstralLifter;
    const double lifter = q == 0 ? 1 : 1 + q / 2 * std::sin(kPi * k / q);
    cepstra.push_back(lifter * sum *
                      std::sqrt((k == 0 ? 1.0 : 2.0) / o.numMelBins));
  }
  return cepstra;
}

static Vector computeFrame(const FeatureOptions &o, Vector x) {
  const size_t length = x.size();
  if (o.removeDcOffset) {
    double mean = 0;
    for (double value : x)
      mean += value / static_cast<double>(length);
    for (double &value : x)
      value -= mean;
  }
  double energy = getEnergy(x);
  const Vector before = x;
  for (size_t i = 0; i < length; ++i)
    x[i] = (x[i] - o.preemphasis * before[i == 0 ? 0 : i - 1]) *
           getFactor(o, static_cast<double>(i), static_cast<double>(length));
  if (!o.rawEnergy)
    energy = getEnergy(x);
  if (o.energyFloor > 0)
    energy = std::max<double>(energy, std::log(o.energyFloor));
  Vector row = getFilterEnergies(o, x);
  if (o.kind == FeatureKind::Mfcc) {
    row = getCepstra(o, row);
    if (o.useEnergy)
      row[0] = energy;
    else if (o.htkCompatible)
      row[0] *= std::sqrt(2.0);
  } else if (o.useEnergy) {
    row.insert(row.begin(), energy);
  }
  if (o.htkCompatible && (o.kind == FeatureKind::Mfcc || o.useEnergy))
    std::rotate(row.begin(), row.begin() + 1, row.end());
  return row;
}

std::vector<double>
nnet3::rt::test::computeDirectly(const FeatureOptions &options,
                                 const std::vector<float> &samples) {
  const int64_t count = static_cast<int64_t>(samples.size());
  const int64_t length = options.getFrameSamples();
  const int64_t shift = options.getShiftSamples();
  int64_t numFrames = (count + shift / 2) / shift;
  if (options.snipEdges)
    numFrames = count < length ? 0 : 1 + (count - length) / shift;
  Vector rows;
  for (int64_t frame = 0; frame < numFrames; ++frame)
    for (double value :
         computeFrame(options, takeFrame(options, samples, frame)))
      rows.push_back(value);
  return rows;
}
