//===- GaussianPosteriors.cpp - Which Gaussians a frame belongs to --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GaussianPosteriors.h"
#include "core/Gemm.h"

#include <algorithm>
#include <cmath>

using namespace nnet3::rt;

GaussianPosteriors::GaussianPosteriors(const IvectorModel &model,
                                       int32_t mostFrames)
    : model(model), squared(int64_t(mostFrames) * 2 * model.ldaDim),
      likelihoods(int64_t(mostFrames) * model.numGaussians) {
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
  MatrixView out(likelihoods.data(), frames.rows, model.numGaussians,
                 model.numGaussians);
  gemmNT({squared.data(), frames.rows, 2 * model.ldaDim, 2 * model.ldaDim},
         model.getGaussians(), /*beta=*/0, out);
  for (int32_t r = 0; r < frames.rows; ++r)
    for (int32_t g = 0; g < model.numGaussians; ++g)
      out.row(r)[g] += model.gaussianConstants[g];
}

const std::vector<GaussianPosterior> &
GaussianPosteriors::select(int32_t frame, float weight, double &logLikelihood) {
  const float *row = likelihoods.data() + int64_t(frame) * model.numGaussians;
  const float most = *std::max_element(row, row + model.numGaussians);
  const float threshold =
      std::min(model.options.minPost / std::fabs(weight), 0.99f);
  kept.clear();
  const auto keepAbove = [&](float least) {
    for (int32_t g = 0; g < model.numGaussians; ++g)
      if (row[g] > least)
        kept.push_back({g, std::exp(row[g] - most)});
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
