//===- FeatureOptions.cpp - Options of MFCC and fbank features ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FeatureOptions.h"
#include "core/ConfigText.h"

#include <cmath>

using namespace nnet3::rt;
using std::string_view;

namespace {

/// An option of Kaldi and the member that it sets, or no member if the option
/// has no effect here.
struct Option {
  string_view name;
  /// Whether MFCC and fbank have it.
  bool inMfcc = true, inFbank = true;
  bool FeatureOptions::*flag = nullptr;
  int32_t FeatureOptions::*integer = nullptr;
  float FeatureOptions::*number = nullptr;
};

using F = FeatureOptions;

Option flag(string_view name, bool F::*member, bool mfcc = true,
            bool fbank = true) {
  return {name, mfcc, fbank, member};
}
Option integer(string_view name, int32_t F::*member, bool fbank = true) {
  return {name, true, fbank, nullptr, member};
}
Option number(string_view name, float F::*member, bool fbank = true) {
  return {name, true, fbank, nullptr, nullptr, member};
}

const Option kOptions[] = {
    number("sample-frequency", &F::sampleFrequency),
    number("frame-length", &F::frameLength),
    number("frame-shift", &F::frameShift),
    number("dither", &F::dither),
    number("preemphasis-coefficient", &F::preemphasis),
    flag("remove-dc-offset", &F::removeDcOffset),
    {"window-type"},
    number("blackman-coeff", &F::blackmanCoefficient),
    flag("round-to-power-of-two", &F::roundToPowerOfTwo),
    flag("snip-edges", &F::snipEdges),
    integer("num-mel-bins", &F::numMelBins),
    number("low-freq", &F::lowFrequency),
    number("high-freq", &F::highFrequency),
    number("vtln-low", &F::vtlnLow),
    number("vtln-high", &F::vtlnHigh),
    number("vtln-warp", &F::vtlnWarp),
    flag("use-energy", &F::useEnergy),
    number("energy-floor", &F::energyFloor),
    flag("raw-energy", &F::rawEnergy),
    flag("htk-compat", &F::htkCompatible),
    integer("num-ceps", &F::numCepstra, /*fbank=*/false),
    number("cepstral-lifter", &F::cepstralLifter, /*fbank=*/false),
    flag("use-log-fbank", &F::useLog, /*mfcc=*/false),
    flag("use-power", &F::usePower, /*mfcc=*/false),
    // Accepted without effect: callers check sample frequencies and keep the
    // features, and nothing is printed.
    {"allow-downsample"},
    {"allow-upsample"},
    {"max-feature-vectors"},
    {"debug-mel"},
};

constexpr std::pair<string_view, WindowType> kWindows[] = {
    {"povey", WindowType::Povey},     {"hamming", WindowType::Hamming},
    {"hanning", WindowType::Hanning}, {"rectangular", WindowType::Rectangular},
    {"sine", WindowType::Sine},       {"blackman", WindowType::Blackman}};

} // namespace

static bool parseWindow(string_view text, WindowType &type) {
  for (const auto &[name, value] : kWindows)
    if (name == text) {
      type = value;
      return true;
    }
  return false;
}

static const Option *findOption(string_view name, FeatureKind kind) {
  for (const Option &option : kOptions)
    if (option.name == name)
      return (kind == FeatureKind::Mfcc ? option.inMfcc : option.inFbank)
                 ? &option
                 : nullptr;
  return nullptr;
}

/// Sets one option. Returns an error message, or an empty string.
static std::string setOption(string_view name, string_view value,
                             FeatureOptions &options) {
  const Option *option = findOption(name, options.kind);
  if (!option)
    return "there is no option --" + std::string(name) + " of " +
           (options.kind == FeatureKind::Mfcc ? "MFCC" : "fbank") + " features";
  const std::string expects = "--" + std::string(name) + " expects ";
  const std::string got = ", not '" + std::string(value) + "'";
  if (option->name == "window-type" && !parseWindow(value, options.window))
    return expects + "povey, hamming, hanning, rectangular, sine or blackman" +
           got;
  if (option->flag && !parseFlag(value, options.*option->flag))
    return expects + "true or false" + got;
  if (option->integer && !parseNumber(value, options.*option->integer))
    return expects + "an integer" + got;
  if (option->number && !parseNumber(value, options.*option->number))
    return expects + "a finite number" + got;
  return {};
}

std::string FeatureOptions::parse(string_view text) {
  return parseConfig(text, [this](string_view name, string_view value) {
    return setOption(name, value, *this);
  });
}

int32_t FeatureOptions::getPaddedSamples() const {
  const int32_t samples = getFrameSamples();
  if (!roundToPowerOfTwo)
    return samples;
  int32_t padded = 1;
  while (padded < samples)
    padded *= 2;
  return padded;
}

std::string FeatureOptions::checkFrames() const {
  // Limits frames to 2^20 samples.
  if (!(sampleFrequency >= 100 && sampleFrequency <= 1e6f))
    return expectValue("sample-frequency", "100 to 1000000 Hz",
                       sampleFrequency);
  if (!(frameLength > 0 && frameLength <= 1000) || getFrameSamples() < 2)
    return expectValue("frame-length", "at least 2 samples and at most 1000 ms",
                       frameLength);
  if (!(frameShift > 0 && frameShift <= 1000) || getShiftSamples() < 1)
    return expectValue("frame-shift", "at least 1 sample and at most 1000 ms",
                       frameShift);
  if (getPaddedSamples() % 2 != 0)
    return "frames of " + std::to_string(getFrameSamples()) +
           " samples, an odd number, expect --round-to-power-of-two";
  if (!(dither >= 0))
    return expectValue("dither", "at least 0", dither);
  if (!(preemphasis >= 0 && preemphasis <= 1))
    return expectValue("preemphasis-coefficient", "0 to 1", preemphasis);
  return {};
}

std::string FeatureOptions::checkFilters() const {
  if (numMelBins < 3 || numMelBins > 4096)
    return expectValue("num-mel-bins", "3 to 4096", numMelBins);
  const float high = fromNyquist(highFrequency);
  if (!(lowFrequency >= 0 && lowFrequency < getNyquist()))
    return expectValue("low-freq", "0 to below half of the sample frequency",
                       lowFrequency);
  if (!(high > lowFrequency && high <= getNyquist()))
    return expectValue("high-freq",
                       "above --low-freq, up to half of the sample frequency",
                       high);
  if (!(vtlnWarp > 0.1f && vtlnWarp < 10))
    return expectValue("vtln-warp", "0.1 to 10", vtlnWarp);
  if (vtlnWarp != 1) {
    const float warpHigh = vtlnHigh < 0 ? getNyquist() + vtlnHigh : vtlnHigh;
    if (!(vtlnLow > lowFrequency && vtlnLow < high))
      return expectValue("vtln-low",
                         "a frequency between --low-freq and --high-freq",
                         vtlnLow);
    if (!(warpHigh > vtlnLow && warpHigh < high))
      return expectValue("vtln-high",
                         "a frequency between --vtln-low and --high-freq",
                         warpHigh);
    // The two warped ends of the spectrum must not overlap.
    if (!(vtlnLow * std::fmax(1.0f, vtlnWarp) <
          warpHigh * std::fmin(1.0f, vtlnWarp)))
      return expectValue("vtln-warp",
                         "less: it brings --vtln-low above --vtln-high",
                         vtlnWarp);
  }
  return {};
}

std::string FeatureOptions::check() const {
  for (std::string error : {checkFrames(), checkFilters()})
    if (!error.empty())
      return error;
  if (kind == FeatureKind::Mfcc && (numCepstra < 1 || numCepstra > numMelBins))
    return expectValue("num-ceps", "1 to --num-mel-bins", numCepstra);
  if (!(energyFloor >= 0))
    return expectValue("energy-floor", "at least 0", energyFloor);
  return {};
}
