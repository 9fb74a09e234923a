//===- IvectorStatistics.cpp - Statistics of i-vectors --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IvectorStatistics.h"
#include "DoubleLoops.h"

#include <algorithm>

using namespace nnet3::rt;

IvectorStatistics::IvectorStatistics(const IvectorModel &model)
    : linear(model.ivectorDim), quadratic(model.getPackedSize()) {}

void IvectorStatistics::clear() {
  count = 0;
  std::fill(linear.begin(), linear.end(), 0);
  std::fill(quadratic.begin(), quadratic.end(), 0);
}

void IvectorStatistics::scale(double factor) {
  count *= factor;
  for (double &value : linear)
    value *= factor;
  for (double &value : quadratic)
    value *= factor;
}

IvectorAccumulator::IvectorAccumulator(const IvectorModel &model,
                                       int32_t mostFrames)
    : model(model) {
  const int64_t mostEntries =
      int64_t(mostFrames) *
      std::min(model.options.numGselect, model.numGaussians);
  const int64_t mostNoted = std::min<int64_t>(mostEntries, model.numGaussians);
  entries.reserve(mostEntries);
  differences.reserve(mostNoted * model.ldaDim);
  linearRows.reserve(mostNoted * model.ldaDim);
  weights.reserve(mostNoted);
  quadraticRows.reserve(mostNoted);
}

void IvectorAccumulator::note(int32_t frame,
                              const std::vector<GaussianPosterior> &posteriors,
                              float scale) {
  for (const GaussianPosterior &posterior : posteriors)
    entries.push_back({posterior.gaussian, frame, posterior.value * scale});
}

void IvectorAccumulator::add(ConstMatrixView frames,
                             IvectorStatistics &statistics) {
  std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) {
    return a.gaussian != b.gaussian ? a.gaussian < b.gaussian
                                    : a.frame < b.frame;
  });
  const int64_t rows = model.ldaDim, cols = model.ivectorDim;
  for (size_t i = 0; i < entries.size();) {
    const int64_t gaussian = entries[i].gaussian;
    const float *mean = model.means.data() + gaussian * rows;
    double weight = 0;
    differences.resize(differences.size() + rows, 0);
    double *difference = differences.data() + differences.size() - rows;
    for (; i < entries.size() && entries[i].gaussian == gaussian; ++i) {
      weight += entries[i].weight;
      const float *frame = frames.row(entries[i].frame);
      for (int64_t e = 0; e < rows; ++e)
        difference[e] += entries[i].weight * (double(frame[e]) - mean[e]);
    }
    statistics.count += weight;
    for (int64_t e = 0; e < rows; ++e)
      linearRows.push_back(model.linear.data() + (gaussian * rows + e) * cols);
    weights.push_back(weight);
    quadraticRows.push_back(model.quadratic.data() +
                            gaussian * model.getPackedSize());
  }
  addScaledRows(cols, linearRows.size(), differences.data(), linearRows.data(),
                statistics.linear.data());
  addScaledRows(model.getPackedSize(), weights.size(), weights.data(),
                quadraticRows.data(), statistics.quadratic.data());
  differences.clear();
  linearRows.clear();
  weights.clear();
  quadraticRows.clear();
  entries.clear();
}
