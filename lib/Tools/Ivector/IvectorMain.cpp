//===- IvectorMain.cpp - i-vectors of utterances --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IvectorOptions.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Tools/Ivector.h"
#include "nnet3/Tools/IvectorExtractor.h"

#include <cmath>

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

static constexpr StringRef kName = "nnet3-ivector";

static const char kUsage[] =
    "Estimates i-vectors as they are for live speech, one for every ten "
    "frames.\nUtterances of a speaker come one after the other.\n"
    "Usage: nnet3-ivector [options] SPK2UTT-RSPECIFIER FEATURE-RSPECIFIER\n"
    "         IVECTOR-WSPECIFIER\n"
    "\n"
    "e.g.: nnet3-ivector --config=ivector_extractor.conf ark:spk2utt "
    "scp:feats.scp ark:ivectors.ark\n";

namespace {
/// Totals for the log.
struct Totals {
  size_t numDone = 0, numFailed = 0;
  /// Weighted by the number of frames.
  double frames = 0, improvement = 0, length = 0, lastLength = 0;
};

/// Computes the utterances of a list of speakers.
class Extraction {
public:
  Extraction(const IvectorProgramOptions &options, IvectorExtractor &extractor)
      : options(options), extractor(extractor) {}

  Error run();

private:
  Error open();
  Error add(StringRef speaker, const std::string &utterance);
  Expected<bool> findWeights(StringRef utterance, int64_t numFrames);
  Expected<bool> checkColumns(StringRef utterance, const Matrix &features);
  Matrix compute(const Matrix &features);
  void count(StringRef speaker, StringRef utterance, const Matrix &ivectors);
  void printTotals() const;

  const IvectorProgramOptions &options;
  IvectorExtractor &extractor;
  std::unique_ptr<SequentialTableReader<std::vector<std::string>>> speakers;
  std::unique_ptr<RandomAccessMatrixReader> table;
  std::unique_ptr<RandomAccessVectorReader> weightTable;
  std::unique_ptr<MatrixWriter> writer;
  /// One per frame of the utterance, if there is a table of weights.
  std::vector<float> weights;
  bool hasWarned = false;
  Totals totals;
};
} // namespace

Error Extraction::open() {
  const TableOptions tableOptions = options.getTableOptions();
  auto openTo = [](auto &to, auto opened) -> Error {
    if (!opened)
      return opened.takeError();
    to = std::move(*opened);
    return Error::success();
  };
  if (Error error = openTo(
          speakers, SequentialTableReader<std::vector<std::string>>::open(
                        options.speakers, tableOptions)))
    return error;
  if (Error error = openTo(table, RandomAccessMatrixReader::open(
                                      options.features, tableOptions)))
    return error;
  if (!options.frameWeights.empty())
    if (Error error = openTo(
            weightTable,
            RandomAccessVectorReader::open(options.frameWeights, tableOptions)))
      return error;
  return openTo(writer, MatrixWriter::open(options.ivectors, tableOptions));
}

/// Reads the weights of an utterance; returns false if there are none or their
/// number does not fit.
Expected<bool> Extraction::findWeights(StringRef utterance, int64_t numFrames) {
  auto found = weightTable->find(utterance);
  if (!found)
    return found.takeError();
  if (!*found) {
    printWarning(kName, "no weights for utterance " + utterance);
    return false;
  }
  weights = **found;
  const int64_t difference = std::abs(int64_t(weights.size()) - numFrames);
  if (difference > options.lengthTolerance) {
    printWarning(kName, "utterance " + utterance + " has " + Twine(numFrames) +
                            " frames, but " + Twine(weights.size()) +
                            " weights");
    return false;
  }
  weights.resize(numFrames);
  return true;
}

/// Checks the number of columns. Three additional pitch columns are allowed and
/// ignored.
Expected<bool> Extraction::checkColumns(StringRef utterance,
                                        const Matrix &features) {
  const int64_t expected = extractor.getFeatureDim();
  if (features.rows == 0) {
    printWarning(kName, "utterance " + utterance + " has no frames");
    return false;
  }
  if (features.cols == expected)
    return true;
  if (features.cols != expected + 3)
    return makeFileError(
        "", "utterance " + utterance + ": expects features with dimension " +
                Twine(expected) + ", but got " + Twine(features.cols));
  if (!hasWarned)
    printWarning(kName, "the last 3 of " + Twine(features.cols) +
                            " features, of pitch, are not read");
  hasWarned = true;
  return true;
}

/// Computes the i-vectors of an utterance.
Matrix Extraction::compute(const Matrix &features) {
  Matrix ivectors;
  // Weights may be set only this many frames ahead.
  constexpr int64_t kPiece = NNET3_IVECTOR_WEIGHT_REACH;
  for (int64_t begin = 0; begin < features.rows; begin += kPiece) {
    const int64_t count = std::min(kPiece, features.rows - begin);
    if (weightTable)
      (void)nnet3_ivector_change_weights(extractor.getStream(), begin,
                                         weights.data() + begin, count);
    extractor.push(features.row(begin).data(), count, features.cols, ivectors);
  }
  extractor.finish(ivectors);
  if (!options.isGreedy)
    return ivectors;
  const int64_t period = options.repeat ? 1 : extractor.getPeriod();
  ivectors = Matrix((features.rows + period - 1) / period, extractor.getDim());
  for (int64_t r = 0; r < ivectors.rows; ++r)
    extractor.getLatest(ivectors.row(r));
  return ivectors;
}

static double computeNorm(llvm::ArrayRef<float> row) {
  double sum = 0;
  for (float value : row)
    sum += double(value) * value;
  return std::sqrt(sum);
}

void Extraction::count(StringRef speaker, StringRef utterance,
                       const Matrix &ivectors) {
  const nnet3_ivector_info info = extractor.getInfo();
  const auto frames = double(info.num_frames);
  double length = 0;
  for (int64_t r = 0; r < ivectors.rows; ++r)
    length += computeNorm(ivectors.row(r));
  const double last = computeNorm(ivectors.row(ivectors.rows - 1));
  ++totals.numDone;
  totals.frames += frames;
  totals.improvement += frames * info.improvement;
  totals.length += frames * length / double(ivectors.rows);
  totals.lastLength += frames * last;
  if (options.verbose >= 2)
    printLog(kName, "Speaker " + speaker + ", utterance " + utterance +
                        ": log-likelihood per frame " +
                        showNumber(info.log_likelihood / frames) +
                        ", length of the last i-vector " + showNumber(last) +
                        ", improvement per frame " +
                        showNumber(info.improvement));
}

Error Extraction::add(StringRef speaker, const std::string &utterance) {
  auto features = table->find(utterance);
  if (!features)
    return features.takeError();
  if (!*features) {
    printWarning(kName, "no features for utterance " + utterance);
    ++totals.numFailed;
    return Error::success();
  }
  Expected<bool> fits = checkColumns(utterance, **features);
  if (fits && *fits && weightTable)
    fits = findWeights(utterance, (*features)->rows);
  if (!fits)
    return fits.takeError();
  if (!*fits) {
    ++totals.numFailed;
    return Error::success();
  }
  const Matrix ivectors = compute(**features);
  count(speaker, utterance, ivectors);
  extractor.endUtterance();
  return writer->write(utterance, ivectors);
}

void Extraction::printTotals() const {
  const auto average = [&](double sum) {
    return showNumber(sum / totals.frames);
  };
  printLog(kName, "Estimated i-vectors for " + Twine(totals.numDone) +
                      " files, " + Twine(totals.numFailed) + " with errors");
  if (totals.frames == 0)
    return;
  printLog(kName, "Average objective improvement per frame was " +
                      average(totals.improvement) + " over " +
                      showNumber(totals.frames) + " frames");
  printLog(kName, "Average i-vector length was " + average(totals.length) +
                      " and at utterance ends " + average(totals.lastLength) +
                      ", over " + showNumber(totals.frames) +
                      " frames; expected length is " +
                      showNumber(std::sqrt(double(extractor.getDim()))));
}

Error Extraction::run() {
  if (Error error = open())
    return error;
  while (true) {
    Expected<bool> more = speakers->next();
    if (!more)
      return more.takeError();
    if (!*more)
      break;
    extractor.beginSpeaker();
    for (const std::string &utterance : speakers->getValue())
      if (Error error = add(speakers->getKey(), utterance))
        return error;
  }
  if (Error error = table->close())
    return error;
  printTotals();
  if (totals.numDone == 0)
    return makeFileError("", "no utterance has an i-vector");
  return writer->close();
}

int mlir::nnet3::ivectorMain(int argc, char **argv) {
  IvectorProgramOptions options;
  return runProgram(kUsage, argc, argv, options, [&]() -> Error {
    auto extractor = IvectorExtractor::create(options.getArguments());
    if (!extractor)
      return extractor.takeError();
    return Extraction(options, **extractor).run();
  });
}
