//===- OnlineCmvn.cpp - Online CMVN ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OnlineCmvn.h"

#include <algorithm>
#include <cmath>

using namespace nnet3::rt;

void FeatureSums::clear() {
  std::fill(sum.begin(), sum.end(), 0);
  std::fill(squares.begin(), squares.end(), 0);
  count = 0;
}

void FeatureSums::add(const float *row, double scale) {
  for (size_t d = 0; d < sum.size(); ++d) {
    const double value = row[d];
    sum[d] += scale * value;
    squares[d] += scale * value * value;
  }
  count += scale;
}

void FeatureSums::add(const std::vector<double> &otherSum,
                      const std::vector<double> &otherSquares, double scale,
                      double frames) {
  for (size_t d = 0; d < sum.size(); ++d) {
    sum[d] += scale * otherSum[d];
    squares[d] += scale * otherSquares[d];
  }
  count += frames;
}

void FeatureSums::scale(double factor) {
  for (size_t d = 0; d < sum.size(); ++d) {
    sum[d] *= factor;
    squares[d] *= factor;
  }
  count *= factor;
}

OnlineCmvn::OnlineCmvn(const IvectorModel &model)
    : model(model), isSkipped(model.featureDim), window(model.featureDim),
      utterance(model.featureDim), speaker(model.featureDim),
      total(model.featureDim) {
  for (int32_t column : model.cmvn.skippedColumns)
    isSkipped[column] = true;
}

/// Fills up \p total with the speaker's and then with the global statistics.
void OnlineCmvn::fill(FeatureSums &total) const {
  const CmvnOptions &options = model.cmvn;
  if (total.count < options.window && speaker.count > 0) {
    const double frames =
        std::min({options.window - total.count, double(options.speakerFrames),
                  speaker.count});
    total.add(speaker.sum, speaker.squares, frames / speaker.count, frames);
  }
  if (total.count < options.window) {
    const double frames =
        std::min(options.window - total.count, double(options.globalFrames));
    total.add(model.globalSum, model.globalSquares, frames / model.globalCount,
              frames);
  }
}

void OnlineCmvn::normalise(const FrameRing &rows, float *out) {
  const CmvnOptions &options = model.cmvn;
  const float *row = rows.row(numFrames);
  utterance.add(row, 1);
  window.add(row, 1);
  if (numFrames >= options.window)
    window.add(rows.row(numFrames - options.window), -1);
  ++numFrames;
  total.sum = window.sum;
  total.squares = window.squares;
  total.count = window.count;
  fill(total);
  for (int32_t d = 0; d < model.featureDim; ++d) {
    out[d] = row[d];
    if (isSkipped[d] || !options.normMeans)
      continue;
    const double mean = total.sum[d] / total.count;
    out[d] -= static_cast<float>(mean);
    if (!options.normVars)
      continue;
    const double variance =
        std::max(total.squares[d] / total.count - mean * mean, 1e-20);
    out[d] /= static_cast<float>(std::sqrt(variance));
  }
}

void OnlineCmvn::beginUtterance(double maxFrames) {
  speaker.add(utterance.sum, utterance.squares, 1, utterance.count);
  if (speaker.count > maxFrames)
    speaker.scale(maxFrames / speaker.count);
  window.clear();
  utterance.clear();
  numFrames = 0;
}

void OnlineCmvn::beginSpeaker() {
  beginUtterance(0);
  speaker.clear();
}
