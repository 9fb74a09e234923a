//===- FeatureOptions.h - Options of MFCC and fbank features ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_FEATURES_FEATUREOPTIONS_H
#define NNET3_RUNTIME_FEATURES_FEATUREOPTIONS_H

#include <cstdint>
#include <string>
#include <string_view>

namespace nnet3 {
namespace rt {

enum class FeatureKind { Mfcc, Fbank };

enum class WindowType { Povey, Hamming, Hanning, Rectangular, Sine, Blackman };

/// Kaldi's options of MFCC and fbank features. Frequencies are in Hz, times in
/// milliseconds.
struct FeatureOptions {
  explicit FeatureOptions(FeatureKind kind)
      : kind(kind), useEnergy(kind == FeatureKind::Mfcc) {}

  FeatureKind kind;

  // Frames.
  float sampleFrequency = 16000;
  float frameLength = 25, frameShift = 10;
  /// Standard deviation of the noise that is added to samples. Kaldi's default
  /// is 1; with 0, features are a function of the samples.
  float dither = 0;
  float preemphasis = 0.97f;
  bool removeDcOffset = true;
  WindowType window = WindowType::Povey;
  float blackmanCoefficient = 0.42f;
  bool roundToPowerOfTwo = true;
  /// Whether to compute only frames within the samples; otherwise the samples
  /// are mirrored at both ends.
  bool snipEdges = true;

  // Mel filters.
  int32_t numMelBins = 23;
  float lowFrequency = 20;
  /// If not above 0, an offset from the Nyquist frequency.
  float highFrequency = 0;
  float vtlnLow = 100, vtlnHigh = -500;
  float vtlnWarp = 1;

  // Energy.
  bool useEnergy;
  float energyFloor = 0;
  /// Whether the energy is computed before preemphasis and window.
  bool rawEnergy = true;
  /// Whether the energy comes last, as in HTK.
  bool htkCompatible = false;

  // MFCC only.
  int32_t numCepstra = 13;
  float cepstralLifter = 22;

  // Fbank only.
  bool useLog = true;
  bool usePower = true;

  /// Parses the text of a Kaldi configuration file, lines `--name=value`.
  /// Returns an error message, prefixed with `LINE:COLUMN: `, or an empty
  /// string.
  std::string parse(std::string_view text);

  /// Checks the values. Returns an error message, or an empty string.
  std::string check() const;

  /// Numbers of samples per frame, per frame shift, and per Fourier transform.
  int32_t getFrameSamples() const { return countSamples(frameLength); }
  int32_t getShiftSamples() const { return countSamples(frameShift); }
  int32_t getPaddedSamples() const;

  float getNyquist() const { return 0.5f * sampleFrequency; }
  /// Converts `highFrequency` or `vtlnHigh` to a frequency above 0.
  float fromNyquist(float frequency) const {
    return frequency > 0 ? frequency : getNyquist() + frequency;
  }

  /// Number of columns of a row.
  int32_t getDim() const {
    return kind == FeatureKind::Mfcc ? numCepstra : numMelBins + useEnergy;
  }

private:
  int32_t countSamples(float milliseconds) const {
    return static_cast<int32_t>(sampleFrequency * 0.001f * milliseconds);
  }
  std::string checkFrames() const;
  std::string checkFilters() const;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_FEATURES_FEATUREOPTIONS_H
