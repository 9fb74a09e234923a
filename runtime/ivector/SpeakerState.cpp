//===- SpeakerState.cpp - Stored state of a speaker -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SpeakerState.h"
#include "KaldiFile.h"

#include <cmath>
#include <cstring>

using namespace nnet3::rt;
using std::string_view;

namespace {

/// Writes binary items, or only counts their bytes if the target is null.
class StateWriter {
public:
  explicit StateWriter(char *to) : to(to) {}

  void put(const void *from, size_t size) {
    if (to)
      std::memcpy(to + count, from, size);
    count += size;
  }
  void put(string_view text) { put(text.data(), text.size()); }
  void put(int32_t value) {
    put("\4");
    put(&value, sizeof(value));
  }
  void put(double value) {
    put("\10");
    putElement(value);
  }
  void putElement(double value) { put(&value, sizeof(value)); }
  void putMatrixHead(int32_t rows, int32_t cols) {
    put("DM ");
    put(rows);
    put(cols);
  }
  size_t getCount() const { return count; }

private:
  char *to;
  size_t count = 0;
};

void putSums(const IvectorModel &model, const std::vector<double> &sum,
             const std::vector<double> &squares, double count,
             StateWriter &writer) {
  writer.putMatrixHead(2, model.featureDim + 1);
  for (double value : sum)
    writer.putElement(value);
  writer.putElement(count);
  for (double value : squares)
    writer.putElement(value);
  writer.putElement(0);
}

} // namespace

/// Writes the state unless \p to is null. Returns its size in bytes.
static size_t putState(const IvectorModel &model, const FeatureSums &sums,
                       const IvectorStatistics &statistics, char *to) {
  StateWriter writer(to);
  writer.put(string_view("\0B", 2));
  writer.put("<OnlineIvectorExtractorAdaptationState> <CmvnState> "
             "<OnlineCmvnState> <SpeakerCmvnStats> ");
  putSums(model, sums.sum, sums.squares, sums.count, writer);
  writer.put("<GlobalCmvnStats> ");
  putSums(model, model.globalSum, model.globalSquares, model.globalCount,
          writer);
  writer.put("<FrozenState> ");
  writer.putMatrixHead(0, 0);
  writer.put("</OnlineCmvnState> <IvectorStats> "
             "<OnlineIvectorEstimationStats> <PriorOffset> ");
  writer.put(model.priorOffset);
  writer.put("<MaxCount> ");
  writer.put(double(model.options.maxCount));
  writer.put("<NumFrames> ");
  writer.put(statistics.count);
  // Kaldi's terms include the prior.
  const double prior = statistics.getPriorScale(model.options.maxCount);
  writer.put("<QuadraticTerm> DP ");
  writer.put(model.ivectorDim);
  const auto getElement = [&](int64_t r, int64_t c) {
    return statistics.quadratic[r * (r + 1) / 2 + c] + (r == c ? prior : 0);
  };
  for (int64_t r = 0; r < model.ivectorDim; ++r)
    for (int64_t c = 0; c <= r; ++c)
      writer.putElement(getElement(r, c));
  writer.put("<LinearTerm> DV ");
  writer.put(model.ivectorDim);
  for (int64_t r = 0; r < model.ivectorDim; ++r)
    writer.putElement(statistics.linear[r] +
                      model.priorOffset * getElement(r, 0));
  writer.put("</OnlineIvectorEstimationStats> "
             "</OnlineIvectorExtractorAdaptationState> ");
  return writer.getCount();
}

size_t nnet3::rt::countSpeakerBytes(const IvectorModel &model) {
  return putState(model, FeatureSums(model.featureDim),
                  IvectorStatistics(model), nullptr);
}

void nnet3::rt::writeSpeaker(const IvectorModel &model,
                             const IvectorStream &stream, char *to) {
  putState(model, stream.getSums(), stream.getStatistics(), to);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static bool areFinite(const std::vector<double> &values) {
  for (double value : values)
    if (!std::isfinite(value))
      return false;
  return true;
}

/// Reads statistics of features; an empty matrix means no statistics.
static void readSums(const IvectorModel &model, KaldiFile &file,
                     FeatureSums &sums) {
  const DoubleMatrix matrix = file.readMatrix();
  if (matrix.rows == 0 || !file.getError().empty())
    return;
  if (matrix.rows != 2 || matrix.cols != model.featureDim + 1 ||
      !areFinite(matrix.values)) {
    file.fail("expects finite statistics of " +
              std::to_string(model.featureDim) + " features, but got " +
              std::to_string(matrix.rows) + " x " +
              std::to_string(matrix.cols));
    return;
  }
  sums.sum.assign(matrix.row(0), matrix.row(0) + model.featureDim);
  sums.squares.assign(matrix.row(1), matrix.row(1) + model.featureDim);
  sums.count = matrix.row(0)[model.featureDim];
}

static void readStatistics(const IvectorModel &model, KaldiFile &file,
                           IvectorStatistics &statistics) {
  file.expectToken("<OnlineIvectorEstimationStats>");
  file.expectToken("<PriorOffset>");
  const double offset = file.readReal();
  if (offset != model.priorOffset)
    file.fail("expects a prior offset of " + std::to_string(model.priorOffset) +
              ", but got " + std::to_string(offset));
  const double maxCount = file.consumeToken("<MaxCount>") ? file.readReal() : 0;
  file.expectToken("<NumFrames>");
  statistics.count = file.readReal();
  file.expectToken("<QuadraticTerm>");
  statistics.quadratic = file.readPacked(model.ivectorDim);
  file.expectToken("<LinearTerm>");
  statistics.linear = file.readVector();
  if (file.getError().empty() &&
      (statistics.linear.size() != size_t(model.ivectorDim) ||
       !areFinite(statistics.linear) || !areFinite(statistics.quadratic) ||
       !std::isfinite(statistics.count)))
    file.fail("expects a linear term of " + std::to_string(model.ivectorDim) +
              " finite numbers");
  file.expectToken("</OnlineIvectorEstimationStats>");
  if (!file.getError().empty())
    return;
  for (int64_t r = 0; r < model.ivectorDim; ++r)
    statistics.linear[r] -=
        model.priorOffset * statistics.quadratic[r * (r + 1) / 2];
  const double prior = statistics.getPriorScale(maxCount);
  for (int64_t r = 0; r < model.ivectorDim; ++r)
    statistics.quadratic[r * (r + 1) / 2 + r] -= prior;
}

std::string nnet3::rt::readSpeaker(const IvectorModel &model, string_view bytes,
                                   IvectorStream &stream) {
  KaldiFile file(bytes, "speaker");
  FeatureSums sums(model.featureDim), unused(model.featureDim);
  IvectorStatistics statistics(model);
  file.expectToken("<OnlineIvectorExtractorAdaptationState>");
  file.expectToken("<CmvnState>");
  file.expectToken("<OnlineCmvnState>");
  file.expectToken("<SpeakerCmvnStats>");
  readSums(model, file, sums);
  // Ignored: the extractor's global statistics are used.
  file.expectToken("<GlobalCmvnStats>");
  readSums(model, file, unused);
  file.expectToken("<FrozenState>");
  readSums(model, file, unused);
  file.expectToken("</OnlineCmvnState>");
  file.expectToken("<IvectorStats>");
  readStatistics(model, file, statistics);
  file.expectToken("</OnlineIvectorExtractorAdaptationState>");
  file.expectEnd();
  if (!file.getError().empty())
    return file.getError();
  stream.beginSpeaker();
  stream.getSums() = std::move(sums);
  stream.getStatistics() = std::move(statistics);
  return {};
}
