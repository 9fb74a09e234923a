//===- SoundFeatures.h - Features of WAV files ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_SOUNDFEATURES_H
#define NNET3_TOOLS_SOUNDFEATURES_H

#include "nnet3/Kaldi/Sound/Wave.h"
#include "nnet3/Kaldi/Tables/Tables.h"
#include "nnet3/runtime/nnet3_features.h"

namespace mlir::nnet3 {

/// Which features are computed from which sound.
struct SoundOptions {
  /// Whether the input is sound.
  bool wav = false;
  /// Kaldi's configuration of the features, at most one of them.
  std::string mfccConfig, fbankConfig;
  /// The channel of the sound; -1: the only one.
  int32_t channel = -1;
};

/// Computes features of one utterance after the other.
class SoundFeatures {
public:
  static llvm::Expected<std::unique_ptr<SoundFeatures>>
  create(const SoundOptions &options);

  int64_t getDim() const { return nnet3_features_dim(features.get()); }

  /// Returns what is wrong with sound of so many samples per second and
  /// channels, or an empty string; else the utterance begins.
  std::string begin(int32_t sampleFrequency, int32_t numChannels);

  /// Which channel is read.
  int32_t getChannel() const { return std::max(options.channel, 0); }

  /// Appends the rows of the frames that end in `samples`.
  void push(llvm::ArrayRef<float> samples, ::nnet3::kaldi::Matrix &rows);

  /// Appends the last rows.
  void finish(::nnet3::kaldi::Matrix &rows);

private:
  using Features =
      std::unique_ptr<nnet3_features, decltype(&nnet3_features_destroy)>;
  using Stream =
      std::unique_ptr<nnet3_features_stream, decltype(&nnet3_features_close)>;

  SoundFeatures(const SoundOptions &options, Features features, Stream stream)
      : options(options), features(std::move(features)),
        stream(std::move(stream)), row(getDim()) {}

  void append(::nnet3::kaldi::Matrix &rows) const;

  SoundOptions options;
  Features features;
  Stream stream;
  std::vector<float> row;
};

/// The features of a table of WAV files, or of the one file `rspecifier` if its
/// name ends in ".wav"; its key is the name without folder and ending.
llvm::Expected<std::unique_ptr<::nnet3::kaldi::SequentialMatrixReader>>
openSoundTable(llvm::StringRef rspecifier,
               const ::nnet3::kaldi::TableOptions &options,
               std::unique_ptr<SoundFeatures> features);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_SOUNDFEATURES_H
