//===- FrameComputer.h - Features of one frame ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_FEATURES_FRAMECOMPUTER_H
#define NNET3_RUNTIME_FEATURES_FRAMECOMPUTER_H

#include "FrameTables.h"

#include <kissfft/kissfft.hh>

#include <random>

namespace nnet3 {
namespace rt {

/// Computes frames one at a time. Only the constructor allocates.
class FrameComputer {
public:
  explicit FrameComputer(const FrameTables &tables);

  /// The buffer for the samples of the next frame.
  float *getSamples() { return samples.data(); }

  /// Computes \p row from the samples, and overwrites them.
  void compute(float *row);

  /// Resets the random numbers of dithering.
  void reset() { noise = {}, generator.seed(); }

private:
  /// Prepares the samples for the Fourier transform. Returns the logarithm of
  /// the frame's energy.
  float prepare();
  void computeSpectrum();
  void writeMfcc(float energy, float *row);
  void writeFbank(float energy, float *row);
  float applyEnergyFloor(float energy) const;

  const FrameTables &tables;
  /// In double precision, because kissfft.hh computes its sines and cosines
  /// from angles that are rounded to the type.
  kissfft<double> transform;
  std::minstd_rand generator;
  std::normal_distribution<float> noise;
  std::vector<float> samples;
  std::vector<double> padded;
  std::vector<std::complex<double>> bins;
  std::vector<float> spectrum, sums;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_FEATURES_FRAMECOMPUTER_H
