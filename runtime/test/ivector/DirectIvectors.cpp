//===- DirectIvectors.cpp - i-vectors by their definition -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DirectIvectors.h"

#include <algorithm>
#include <cmath>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

using T = TestExtractor;

DirectIvectors::DirectIvectors(const TestExtractor &extractor,
                               const IvectorOptions &options,
                               const CmvnOptions &cmvn)
    : extractor(extractor), options(options), cmvn(cmvn),
      speaker(2, std::vector<double>(T::kFeatures + 1)), linear(T::kIvector),
      quadratic(T::kIvector, std::vector<double>(T::kIvector)) {
  linear[0] = T::kOffset;
  for (int d = 0; d < T::kIvector; ++d)
    quadratic[d][d] = 1;
}

Rows DirectIvectors::normalise(const Rows &frames) const {
  Rows result = frames;
  for (int64_t t = 0; t < int64_t(frames.size()); ++t)
    for (int d = 0; d < T::kFeatures; ++d) {
      double sum = 0, squares = 0, n = 0;
      for (int64_t u = std::max<int64_t>(0, t - cmvn.window + 1); u <= t; ++u) {
        sum += frames[u][d];
        squares += frames[u][d] * frames[u][d];
        ++n;
      }
      const auto fill = [&](const Rows &stats, double most) {
        const double all = stats[0][T::kFeatures];
        const double more = std::min({cmvn.window - n, most, all});
        if (more <= 0)
          return;
        sum += stats[0][d] * more / all;
        squares += stats[1][d] * more / all;
        n += more;
      };
      fill(speaker, cmvn.speakerFrames);
      fill(extractor.cmvnStatistics, cmvn.globalFrames);
      const auto &skipped = cmvn.skippedColumns;
      if (!cmvn.normMeans ||
          std::find(skipped.begin(), skipped.end(), d) != skipped.end())
        continue;
      result[t][d] -= sum / n;
      if (cmvn.normVars)
        result[t][d] /= std::sqrt(squares / n - sum / n * sum / n);
    }
  return result;
}

Rows DirectIvectors::transform(const Rows &frames) const {
  Rows result;
  for (int64_t t = 0; t < int64_t(frames.size()); ++t) {
    std::vector<double> spliced;
    for (int64_t u = t - T::kLeft; u <= t + T::kRight; ++u) {
      const auto &row =
          frames[std::clamp<int64_t>(u, 0, int64_t(frames.size()) - 1)];
      spliced.insert(spliced.end(), row.begin(), row.end());
    }
    spliced.push_back(1);
    auto &out = result.emplace_back(T::kLda);
    for (int e = 0; e < T::kLda; ++e)
      for (size_t i = 0; i < spliced.size(); ++i)
        out[e] += extractor.lda[e][i] * spliced[i];
  }
  return result;
}

std::vector<double>
DirectIvectors::computePosteriors(const std::vector<double> &z) const {
  std::vector<double> p(T::kGaussians);
  for (int g = 0; g < T::kGaussians; ++g) {
    double likelihood = std::log(extractor.weights[g]);
    for (int e = 0; e < T::kLda; ++e) {
      const double inverse = extractor.inverseVariances[g][e];
      const double difference = z[e] - extractor.means[g][e];
      likelihood += 0.5 * std::log(inverse / (2 * M_PI)) -
                    0.5 * inverse * difference * difference;
    }
    p[g] = std::exp(likelihood);
  }
  std::vector<double> sorted = p;
  std::sort(sorted.rbegin(), sorted.rend());
  const double most = sorted[0];
  sorted.resize(std::min<size_t>(options.numGselect, sorted.size()));
  while (sorted.size() > 1 && sorted.back() <= options.minPost * most)
    sorted.pop_back();
  double sum = 0;
  for (double value : sorted)
    sum += value;
  const double cutoff = options.minPost * sum;
  while (sorted.size() > 1 && sorted.back() < cutoff) {
    sum -= sorted.back();
    sorted.pop_back();
  }
  for (double &value : p)
    value = value < sorted.back() ? 0 : value / sum;
  return p;
}

void DirectIvectors::add(const std::vector<double> &z,
                         const std::vector<double> &y) {
  const std::vector<double> posteriors = computePosteriors(z);
  const double before = count;
  for (int g = 0; g < T::kGaussians; ++g) {
    const double gamma = posteriors[g] * options.posteriorScale;
    count += gamma;
    const Rows &m = extractor.projections[g];
    const Rows &inverse = extractor.inverseCovariances[g];
    for (int i = 0; i < T::kIvector; ++i)
      for (int r = 0; r < T::kLda; ++r)
        for (int c = 0; c < T::kLda; ++c) {
          linear[i] += gamma * m[r][i] * inverse[r][c] * y[c];
          for (int j = 0; j < T::kIvector; ++j)
            quadratic[i][j] += gamma * m[r][i] * inverse[r][c] * m[c][j];
        }
  }
  const double most = options.maxCount;
  if (most == 0)
    return;
  const double change =
      std::max(count, most) / most - std::max(before, most) / most;
  linear[0] += T::kOffset * change;
  for (int d = 0; d < T::kIvector; ++d)
    quadratic[d][d] += change;
}

/// Solves by Gaussian elimination.
std::vector<double> DirectIvectors::solve() const {
  Rows a = quadratic;
  std::vector<double> x = linear;
  for (int k = 0; k < T::kIvector; ++k)
    for (int r = k + 1; r < T::kIvector; ++r) {
      const double factor = a[r][k] / a[k][k];
      for (int c = k; c < T::kIvector; ++c)
        a[r][c] -= factor * a[k][c];
      x[r] -= factor * x[k];
    }
  for (int k = T::kIvector - 1; k >= 0; --k) {
    for (int c = k + 1; c < T::kIvector; ++c)
      x[k] -= a[k][c] * x[c];
    x[k] /= a[k][k];
  }
  x[0] -= T::kOffset;
  return x;
}

void DirectIvectors::endUtterance(const Rows &frames) {
  for (const auto &frame : frames)
    for (int d = 0; d < T::kFeatures; ++d) {
      speaker[0][d] += frame[d];
      speaker[1][d] += frame[d] * frame[d];
    }
  double &numFrames = speaker[0][T::kFeatures];
  numFrames += double(frames.size());
  const double most = options.maxRememberedFrames;
  if (numFrames > most) {
    const double factor = most / numFrames;
    for (auto &row : speaker)
      for (double &value : row)
        value *= factor;
  }
  if (count <= most * options.posteriorScale)
    return;
  const double c = most * options.posteriorScale / count;
  const double limit = options.maxCount;
  const double back = limit == 0 ? 1 - c
                                 : std::max(c * count, limit) / limit -
                                       c * std::max(count, limit) / limit;
  count *= c;
  for (int r = 0; r < T::kIvector; ++r) {
    linear[r] *= c;
    for (double &value : quadratic[r])
      value *= c;
    quadratic[r][r] += back;
  }
  linear[0] += T::kOffset * back;
}

std::vector<double> DirectIvectors::compute(const std::vector<float> &frames) {
  Rows rows;
  for (size_t i = 0; i < frames.size(); i += T::kFeatures)
    rows.emplace_back(frames.begin() + i, frames.begin() + i + T::kFeatures);
  const Rows z = transform(normalise(rows));
  const Rows y = options.normalisedStatistics ? z : transform(rows);
  std::vector<double> ivectors;
  const auto numFrames = static_cast<int64_t>(rows.size());
  int64_t done = 0;
  for (int64_t t = 0; t < numFrames; t += options.period) {
    for (; done <= t; ++done)
      add(z[done], y[done]);
    const std::vector<double> ivector = solve();
    ivectors.insert(ivectors.end(), ivector.begin(), ivector.end());
  }
  endUtterance(rows);
  return ivectors;
}
