//===- SoundFeatures.h - Features of WAV files ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_SOUNDFEATURES_H
#define NNET3_TOOLS_SOUNDFEATURES_H

#include "nnet3/Kaldi/Sound/Wave.h"
#include "nnet3/Kaldi/Tables/Tables.h"
#include "nnet3/runtime/nnet3_features.h"

namespace mlir::nnet3 {

/// Options of computing features from audio.
struct SoundOptions {
  /// Whether the input is audio.
  bool wav = false;
  /// Kaldi's configuration of the features; at most one is set.
  std::string mfccConfig, fbankConfig;
  /// The channel of the audio; -1 if it has a single one.
  int32_t channel = -1;
};

/// Computes features of one utterance after the other.
class SoundFeatures {
public:
  static llvm::Expected<std::unique_ptr<SoundFeatures>>
  create(const SoundOptions &options);

  int64_t getDim() const { return nnet3_features_dim(features.get()); }

  /// Starts an utterance. Returns an error message if audio with this number of
  /// samples per second and of channels is not supported; else an empty string.
  std::string begin(int32_t sampleFrequency, int32_t numChannels);

  /// The channel that is read.
  int32_t getChannel() const { return std::max(options.channel, 0); }

  /// Appends the rows of the frames whose last sample is in `samples`.
  void push(llvm::ArrayRef<float> samples, ::nnet3::kaldi::Matrix &rows);

  /// Ends the utterance, and appends the last rows.
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

/// Opens the features of a table of WAV files, or of the single file
/// `rspecifier` if its name ends in ".wav"; its key is the file name without
/// folder and extension.
llvm::Expected<std::unique_ptr<::nnet3::kaldi::SequentialMatrixReader>>
openSoundTable(llvm::StringRef rspecifier,
               const ::nnet3::kaldi::TableOptions &options,
               std::unique_ptr<SoundFeatures> features);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_SOUNDFEATURES_H
