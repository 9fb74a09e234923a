//===- SoundFeatures.cpp - Features from WAV files ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/SoundFeatures.h"
#include "nnet3/Kaldi/IO/Input.h"
#include "nnet3/Kaldi/IO/KaldiError.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Features
//===----------------------------------------------------------------------===//

/// Converts `message`, which may begin with "LINE:COLUMN: ", to an error with a
/// location.
static Error makeConfigError(StringRef file, StringRef message) {
  FileLocation location;
  if (message.consumeInteger(10, location.line) ||
      !message.consume_front(":") ||
      message.consumeInteger(10, location.column) ||
      !message.consume_front(": "))
    return makeFileError(file, message);
  return llvm::make_error<KaldiError>(file.str(), location, message.str());
}

Expected<std::unique_ptr<SoundFeatures>>
SoundFeatures::create(const SoundOptions &options) {
  const bool isFbank = !options.fbankConfig.empty();
  const std::string &file = isFbank ? options.fbankConfig : options.mfccConfig;
  std::string config;
  if (!file.empty()) {
    auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/true);
    if (!buffer)
      return makeFileError(file, buffer.getError().message());
    config = (*buffer)->getBuffer().str();
  }
  nnet3_features *made = nullptr;
  char message[256] = "";
  nnet3_features_status status = nnet3_features_create(
      isFbank ? NNET3_FEATURES_FBANK : NNET3_FEATURES_MFCC, config.data(),
      config.size(), &made, message, sizeof(message));
  Features features(made, nnet3_features_destroy);
  if (status == NNET3_FEATURES_INVALID_OPTION)
    return makeConfigError(file, message);
  nnet3_features_stream *opened = nullptr;
  if (status == NNET3_FEATURES_OK)
    status = nnet3_features_open(made, &opened);
  Stream stream(opened, nnet3_features_close);
  if (status != NNET3_FEATURES_OK)
    return makeFileError(file, nnet3_features_error_text(status));
  return std::unique_ptr<SoundFeatures>(
      new SoundFeatures(options, std::move(features), std::move(stream)));
}

std::string SoundFeatures::begin(int32_t sampleFrequency, int32_t numChannels) {
  const auto expected =
      int32_t(nnet3_features_sample_frequency(features.get()));
  if (sampleFrequency != expected)
    return ("expects " + Twine(expected) +
            " samples per second, as the features do, but got " +
            Twine(sampleFrequency))
        .str();
  if (options.channel < 0 && numChannels > 1)
    return ("expects sound of one channel, or option '--channel', but got " +
            Twine(numChannels))
        .str();
  if (options.channel >= numChannels)
    return ("expects a --channel from 0 to " + Twine(numChannels - 1) +
            ", but got " + Twine(options.channel))
        .str();
  (void)nnet3_features_reset(stream.get());
  return {};
}

void SoundFeatures::append(Matrix &rows) const {
  rows.cols = getDim();
  ++rows.rows;
  rows.data.insert(rows.data.end(), row.begin(), row.end());
}

void SoundFeatures::push(llvm::ArrayRef<float> samples, Matrix &rows) {
  int64_t numUsed = 0, numRows = 1;
  while (!samples.empty() || numRows > 0) {
    (void)nnet3_features_push(stream.get(), samples.data(), samples.size(),
                              &numUsed, row.data(), 1, &numRows);
    if (numRows > 0)
      append(rows);
    samples = samples.drop_front(numUsed);
  }
}

void SoundFeatures::finish(Matrix &rows) {
  int64_t numRows = 0;
  while (nnet3_features_finish(stream.get(), row.data(), 1, &numRows) ==
             NNET3_FEATURES_OK &&
         numRows > 0)
    append(rows);
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

static std::string computeAll(SoundFeatures &features, const Wave &wave,
                              Matrix &rows) {
  rows = Matrix();
  std::string error =
      features.begin(wave.sampleFrequency, int32_t(wave.channels.size()));
  if (!error.empty())
    return error;
  features.push(wave.channels[features.getChannel()], rows);
  features.finish(rows);
  return {};
}

namespace {
/// Reads a table of sound as features.
class SoundTable : public SequentialMatrixReader {
public:
  SoundTable(std::unique_ptr<SequentialTableReader<Wave>> waves,
             std::unique_ptr<SoundFeatures> features, StringRef name)
      : waves(std::move(waves)), features(std::move(features)), name(name) {}

  Expected<bool> next() override {
    Expected<bool> more = waves->next();
    if (!more || !*more)
      return more;
    key = waves->getKey().str();
    const std::string error = computeAll(*features, waves->getValue(), value);
    if (!error.empty())
      return makeFileError(name, "sound of key " + quoteForMessage(key) + ": " +
                                     error);
    return true;
  }

private:
  std::unique_ptr<SequentialTableReader<Wave>> waves;
  std::unique_ptr<SoundFeatures> features;
  std::string name;
};

/// Reads one sound file as a table.
class SoundFile : public SequentialMatrixReader {
public:
  SoundFile(std::unique_ptr<ByteSource> source,
            std::unique_ptr<SoundFeatures> features)
      : source(std::move(source)), features(std::move(features)) {}

  Expected<bool> next() override {
    if (!key.empty())
      return false;
    KaldiReader reader(*source);
    Wave wave;
    if (failed(readWave(reader, wave)))
      return reader.takeError();
    key = llvm::sys::path::stem(source->getName()).str();
    const std::string error = computeAll(*features, wave, value);
    if (!error.empty())
      return makeFileError(source->getName(), error);
    return true;
  }

private:
  std::unique_ptr<ByteSource> source;
  std::unique_ptr<SoundFeatures> features;
};
} // namespace

Expected<std::unique_ptr<SequentialMatrixReader>>
mlir::nnet3::openSoundTable(StringRef rspecifier, const TableOptions &options,
                            std::unique_ptr<SoundFeatures> features) {
  if (rspecifier.ends_with(".wav") && !rspecifier.contains(':')) {
    auto source = openInput(rspecifier);
    if (!source)
      return source.takeError();
    return std::make_unique<SoundFile>(std::move(*source), std::move(features));
  }
  auto waves = SequentialTableReader<Wave>::open(rspecifier, options);
  if (!waves)
    return waves.takeError();
  return std::make_unique<SoundTable>(std::move(*waves), std::move(features),
                                      rspecifier);
}
