//===- Wave.h - Sound in WAV files ------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_KALDI_SOUND_WAVE_H
#define NNET3_KALDI_SOUND_WAVE_H

#include "nnet3/Kaldi/IO/Reader.h"

#include <optional>

namespace nnet3::kaldi {

/// Reads a WAV file of 16-bit samples, sample by sample, so that audio can come
/// from a microphone. A program that writes to a pipe does not know the length
/// and writes 0 or the largest number; such a file extends to its end.
class WaveReader {
public:
  explicit WaveReader(KaldiReader &reader) : reader(reader) {}

  /// Reads everything before the samples.
  llvm::LogicalResult readHeader();

  /// Samples per second.
  int32_t getSampleFrequency() const { return sampleFrequency; }
  int32_t getNumChannels() const { return numChannels; }

  /// Whether there is another sample of each channel.
  bool hasMore();

  /// Reads one sample of each channel, from -32768 to 32767.
  llvm::LogicalResult readSamples(llvm::MutableArrayRef<float> samples);

  /// Reads the rest of the file after the samples, for a file in an archive.
  llvm::LogicalResult readEnd();

private:
  llvm::LogicalResult readChunkHeader(std::string &id, uint32_t &size);
  llvm::LogicalResult readFormat(uint32_t size);
  llvm::LogicalResult skip(uint64_t count);

  KaldiReader &reader;
  int32_t sampleFrequency = 0, numChannels = 0;
  /// Offset of the end of the file, and number of bytes of samples that are
  /// left to read; 0 and nullopt if unknown.
  uint64_t end = 0;
  std::optional<uint64_t> bytesLeft;
};

/// The audio of one utterance.
struct Wave {
  int32_t sampleFrequency = 0;
  /// The samples of each channel, of equal length.
  std::vector<std::vector<float>> channels;
};

/// Reads a whole WAV file.
llvm::LogicalResult readWave(KaldiReader &reader, Wave &wave);

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_SOUND_WAVE_H
