//===- FrameComputer.cpp - Features of one frame --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FrameComputer.h"

#include <cmath>
#include <limits>
#include <numeric>

using namespace nnet3::rt;

FrameComputer::FrameComputer(const FrameTables &tables)
    : tables(tables),
      transform(tables.options.getPaddedSamples() / 2, /*inverse=*/false),
      samples(tables.frames.samples), padded(tables.options.getPaddedSamples()),
      bins(tables.options.getPaddedSamples() / 2),
      spectrum(tables.options.getPaddedSamples() / 2),
      sums(tables.options.numMelBins) {
  // kissfft allocates in the first transform of an odd length.
  transform.transform_real(padded.data(), bins.data());
}

/// Returns the logarithm of an energy, which may be 0.
static float toLog(float energy) {
  return std::log(std::max(energy, std::numeric_limits<float>::epsilon()));
}

static float getLogEnergy(const float *samples, int64_t count) {
  return toLog(std::inner_product(samples, samples + count, samples, 0.0f));
}

float FrameComputer::prepare() {
  const FeatureOptions &options = tables.options;
  const int64_t count = tables.frames.samples;
  float *x = samples.data();
  if (options.dither != 0)
    for (int64_t i = 0; i < count; ++i)
      x[i] += options.dither * noise(generator);
  if (options.removeDcOffset) {
    const double sum = std::accumulate(x, x + count, 0.0);
    const float mean = static_cast<float>(sum / static_cast<double>(count));
    for (int64_t i = 0; i < count; ++i)
      x[i] -= mean;
  }
  const float energy = options.rawEnergy ? getLogEnergy(x, count) : 0;
  if (options.preemphasis != 0) {
    for (int64_t i = count - 1; i > 0; --i)
      x[i] -= options.preemphasis * x[i - 1];
    x[0] -= options.preemphasis * x[0];
  }
  for (int64_t i = 0; i < count; ++i)
    x[i] *= tables.window[i];
  return options.rawEnergy ? energy : getLogEnergy(x, count);
}

void FrameComputer::computeSpectrum() {
  // The padding after the samples stays 0.
  std::copy(samples.begin(), samples.end(), padded.begin());
  transform.transform_real(padded.data(), bins.data());
  // The imaginary part of bin 0 is the Nyquist frequency, which no filter
  // reads.
  spectrum[0] = static_cast<float>(bins[0].real() * bins[0].real());
  for (size_t i = 1; i < bins.size(); ++i)
    spectrum[i] = static_cast<float>(std::norm(bins[i]));
  if (!tables.options.usePower)
    for (float &value : spectrum)
      value = std::sqrt(value);
  tables.filters.apply(spectrum.data(), sums.data());
  if (tables.options.useLog)
    for (float &value : sums)
      value = toLog(value);
}

float FrameComputer::applyEnergyFloor(float energy) const {
  const float floor = tables.options.energyFloor;
  return floor > 0 ? std::max(energy, std::log(floor)) : energy;
}

void FrameComputer::writeMfcc(float energy, float *row) {
  const FeatureOptions &options = tables.options;
  const float *cosines = tables.cosines.data();
  const int32_t last = options.numCepstra - 1;
  for (int32_t k = 0; k <= last; ++k, cosines += sums.size())
    row[k] = std::inner_product(sums.begin(), sums.end(), cosines, 0.0f);
  if (options.useEnergy)
    row[0] = applyEnergyFloor(energy);
  if (!options.htkCompatible)
    return;
  // C0 of HTK is larger by a factor of sqrt(2).
  const float first = options.useEnergy ? row[0] : row[0] * std::sqrt(2.0f);
  std::copy(row + 1, row + 1 + last, row);
  row[last] = first;
}

void FrameComputer::writeFbank(float energy, float *row) {
  const FeatureOptions &options = tables.options;
  const bool energyFirst = options.useEnergy && !options.htkCompatible;
  std::copy(sums.begin(), sums.end(), row + energyFirst);
  if (options.useEnergy)
    row[energyFirst ? 0 : sums.size()] = applyEnergyFloor(energy);
}

void FrameComputer::compute(float *row) {
  const float energy = prepare();
  computeSpectrum();
  if (tables.options.kind == FeatureKind::Mfcc)
    writeMfcc(energy, row);
  else
    writeFbank(energy, row);
}
