//===- Wave.cpp - WAV files -----------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A hand-written reader: audio libraries cannot read a WAV record in the middle
// of an archive or pipe, and do not give errors with file positions.
//
//===----------------------------------------------------------------------===//

#include "nnet3/Kaldi/Sound/Wave.h"
#include "nnet3/Kaldi/IO/PrintableText.h"

#include "llvm/Support/Endian.h"

using namespace nnet3::kaldi;
using llvm::failure;
using llvm::LogicalResult;
using llvm::StringRef;
using llvm::success;
using llvm::Twine;
using namespace llvm::support::endian;

/// Returns true unless the length is a placeholder of a program that did not
/// know it: 0, 2^31 - 4096 (SoX), 2^31 - 1 or 2^32 - 1.
static bool isKnownLength(uint32_t size) {
  return size != 0 && size < 0x7fff0000;
}

LogicalResult WaveReader::readChunkHeader(std::string &id, uint32_t &size) {
  StringRef bytes;
  if (failed(reader.readBytes(8, bytes)))
    return failure();
  id = bytes.take_front(4).str();
  size = read32le(bytes.data() + 4);
  return success();
}

LogicalResult WaveReader::skip(uint64_t count) {
  constexpr uint64_t kMost = 1 << 16;
  StringRef bytes;
  for (; count > 0; count -= bytes.size())
    if (failed(reader.readBytes(std::min(count, kMost), bytes)))
      return failure();
  return success();
}

LogicalResult WaveReader::readFormat(uint32_t size) {
  constexpr uint16_t kPcm = 1, kExtensible = 0xfffe;
  StringRef bytes;
  if (size < 16)
    return reader.fail("expects a format of at least 16 bytes, but got " +
                       Twine(size));
  if (failed(reader.readBytes(16, bytes)))
    return failure();
  const uint16_t coding = read16le(bytes.data());
  numChannels = read16le(bytes.data() + 2);
  const uint32_t frequency = read32le(bytes.data() + 4);
  const uint16_t blockSize = read16le(bytes.data() + 12);
  const uint16_t bits = read16le(bytes.data() + 14);
  if ((coding != kPcm && coding != kExtensible) || bits != 16)
    return reader.fail("expects 16-bit PCM samples, but got coding " +
                       Twine(coding) + " with " + Twine(bits) + " bits");
  if (numChannels < 1 || blockSize != 2 * numChannels)
    return reader.fail("expects 2 bytes for each of " + Twine(numChannels) +
                       " channels, but got " + Twine(blockSize) + " in all");
  if (frequency < 1 || frequency > 1000000)
    return reader.fail("expects 1 to 1000000 samples per second, but got " +
                       Twine(frequency));
  sampleFrequency = static_cast<int32_t>(frequency);
  return skip(size - 16 + size % 2);
}

LogicalResult WaveReader::readHeader() {
  reader.beginBinary();
  std::string id;
  uint32_t size = 0;
  StringRef type;
  if (failed(readChunkHeader(id, size)))
    return failure();
  if (id != "RIFF")
    return reader.fail(
        "expects a WAV file, which begins with 'RIFF', but got " +
        quoteForMessage(id));
  if (isKnownLength(size))
    end = reader.getOffset() + size;
  if (failed(reader.readBytes(4, type)))
    return failure();
  if (type != "WAVE")
    return reader.fail("expects 'WAVE', but got " + quoteForMessage(type));
  while (succeeded(readChunkHeader(id, size))) {
    if (id == "data") {
      if (numChannels == 0)
        return reader.fail("expects the format before the samples");
      // An unknown length at the end of the file means that there are no
      // samples.
      if (isKnownLength(size) || end == reader.getOffset())
        bytesLeft = size;
      return success();
    }
    if (failed(id == "fmt " ? readFormat(size) : skip(size + size % 2)))
      return failure();
  }
  return failure();
}

bool WaveReader::hasMore() {
  return bytesLeft ? *bytesLeft >= 2 * uint64_t(numChannels) : !reader.atEnd();
}

LogicalResult WaveReader::readSamples(llvm::MutableArrayRef<float> samples) {
  StringRef bytes;
  if (failed(reader.readBytes(2 * samples.size(), bytes)))
    return failure();
  for (size_t i = 0; i < samples.size(); ++i)
    samples[i] = static_cast<int16_t>(read16le(bytes.data() + 2 * i));
  if (bytesLeft)
    *bytesLeft -= bytes.size();
  return success();
}

LogicalResult WaveReader::readEnd() {
  const uint64_t offset = reader.getOffset();
  return end > offset ? skip(end - offset) : success();
}

LogicalResult nnet3::kaldi::readWave(KaldiReader &reader, Wave &wave) {
  WaveReader sound(reader);
  if (failed(sound.readHeader()))
    return failure();
  wave.sampleFrequency = sound.getSampleFrequency();
  wave.channels.assign(sound.getNumChannels(), {});
  std::vector<float> samples(sound.getNumChannels());
  while (sound.hasMore()) {
    if (failed(sound.readSamples(samples)))
      return failure();
    for (auto [channel, sample] : llvm::zip(wave.channels, samples))
      channel.push_back(sample);
  }
  return sound.readEnd();
}
