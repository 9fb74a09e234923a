//===- GaussianPosteriors.cpp - Posteriors of the UBM's Gaussians ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GaussianPosteriors.h"
#include "cpu/math/Clones.h"

#include <algorithm>
#include <cmath>

using namespace nnet3::rt;

/// Rows of log-likelihoods are padded to a multiple of this.
static constexpr int32_t kGroup = kLanes * kLanes;

/// Computes the maxima of each group of kGroup values: maximum i is over the
/// values i, i + 16, i + 32, ..., so that the loop vectorises.
NNET3_CLONES static void findMaxima(int32_t count, const float *values,
                                    float *maxima) {
  for (; count > 0; count -= kGroup, maxima += kLanes) {
    std::copy_n(values, kLanes, maxima);
    values += kLanes;
    for (int row = 1; row < kLanes; ++row, values += kLanes)
      for (int lane = 0; lane < kLanes; ++lane)
        maxima[lane] = std::max(maxima[lane], values[lane]);
  }
}

GaussianPosteriors::GaussianPosteriors(const IvectorModel &model,
                                       int32_t mostFrames)
    : model(model), squared(int64_t(mostFrames) * 2 * model.ldaDim),
      numPadded((model.numGaussians + kGroup - 1) / kGroup * kGroup),
      likelihoods(int64_t(mostFrames) * numPadded, -INFINITY),
      maxima(numPadded / kLanes) {
  kept.reserve(model.numGaussians);
}

void GaussianPosteriors::computeLikelihoods(ConstMatrixView frames) {
  float *to = squared.data();
  for (int32_t r = 0; r < frames.rows; ++r) {
    const float *row = frames.row(r);
    to = std::copy(row, row + model.ldaDim, to);
    to = std::transform(row, row + model.ldaDim, to,
                        [](float value) { return -0.5f * value * value; });
  }
  model.gaussians.apply(
      {squared.data(), frames.rows, 2 * model.ldaDim, 2 * model.ldaDim},
      {likelihoods.data(), frames.rows, model.numGaussians, numPadded});
}

const std::vector<GaussianPosterior> &
GaussianPosteriors::select(int32_t frame, float weight, double &logLikelihood) {
  const float *row = likelihoods.data() + int64_t(frame) * numPadded;
  findMaxima(numPadded, row, maxima.data());
  const float most = *std::max_element(maxima.begin(), maxima.end());
  const float threshold =
      std::min(model.options.minPost / std::fabs(weight), 0.99f);
  kept.clear();
  const auto keepAbove = [&](float least) {
    for (int32_t i = 0; i < numPadded / kLanes; ++i) {
      if (maxima[i] <= least)
        continue;
      const int32_t first = i / kLanes * kGroup + i % kLanes;
      for (int32_t g = first; g < first + kGroup; g += kLanes)
        if (row[g] > least)
          kept.push_back({g, std::exp(row[g] - most)});
    }
  };
  keepAbove(most + std::log(threshold));
  const auto isBefore = [](const GaussianPosterior &a,
                           const GaussianPosterior &b) {
    return a.value != b.value ? a.value > b.value : a.gaussian < b.gaussian;
  };
  const size_t count = std::min<size_t>(model.options.numGselect, kept.size());
  std::partial_sort(kept.begin(), kept.begin() + count, kept.end(), isBefore);
  kept.resize(count);
  float sum = 0;
  for (const GaussianPosterior &posterior : kept)
    sum += posterior.value;
  const float cutoff = threshold * sum;
  while (kept.size() > 1 && kept.back().value < cutoff) {
    sum -= kept.back().value;
    kept.pop_back();
  }
  for (GaussianPosterior &posterior : kept)
    posterior.value /= sum;
  logLikelihood = most + std::log(sum);
  return kept;
}
