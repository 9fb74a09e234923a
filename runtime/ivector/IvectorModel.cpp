//===- IvectorModel.cpp - The files of an extractor -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IvectorModel.h"
#include "KaldiFile.h"

#include <algorithm>
#include <cmath>
#include <functional>

using namespace nnet3::rt;

/// Limit of dims, above any extractor's; keeps sizes from overflowing.
static constexpr int64_t kMostDims = 1 << 15;
/// Limit of the i-vector's dim; tables of a Gaussian grow with its square.
static constexpr int64_t kMostIvectorDims = 2048;

static bool areFinite(const std::vector<double> &values) {
  return std::all_of(values.begin(), values.end(),
                     [](double value) { return std::isfinite(value); });
}

static std::string showDims(int64_t rows, int64_t cols) {
  return std::to_string(rows) + " x " + std::to_string(cols);
}

/// Reads a matrix of finite numbers.
static DoubleMatrix readFinite(KaldiFile &file, const char *what) {
  DoubleMatrix matrix = file.readMatrix();
  if (!areFinite(matrix.values))
    file.fail(std::string("expects ") + what + " of finite numbers");
  if (matrix.rows > kMostDims || matrix.cols > kMostDims)
    file.fail(std::string("expects ") + what + " of at most 32768 rows and " +
              "columns, but got " + showDims(matrix.rows, matrix.cols));
  return matrix;
}

void IvectorModel::loadCmvnStatistics(KaldiFile &file) {
  const DoubleMatrix stats = readFinite(file, "statistics");
  file.expectEnd();
  if (stats.rows != 2 || stats.cols < 2)
    file.fail("expects statistics of 2 rows and at least 2 columns, but got " +
              showDims(stats.rows, stats.cols));
  if (!file.getError().empty())
    return;
  featureDim = static_cast<int32_t>(stats.cols - 1);
  globalSum.assign(stats.row(0), stats.row(0) + featureDim);
  globalSquares.assign(stats.row(1), stats.row(1) + featureDim);
  globalCount = stats.row(0)[featureDim];
  if (!(globalCount > 0))
    file.fail("expects a count of frames above 0, but got " +
              std::to_string(globalCount));
  for (int32_t column : cmvn.skippedColumns)
    if (column >= featureDim)
      file.fail("option --skip-dims names column " + std::to_string(column) +
                ", but the features have " + std::to_string(featureDim));
}

void IvectorModel::loadLda(KaldiFile &file) {
  const DoubleMatrix matrix = readFinite(file, "a transform");
  file.expectEnd();
  const int64_t spliced = int64_t(featureDim) * splice.getNumFrames();
  if (matrix.rows < 1 || (matrix.cols != spliced && matrix.cols != spliced + 1))
    file.fail("expects a transform of " + std::to_string(spliced) + " or " +
              std::to_string(spliced + 1) + " columns, for " +
              std::to_string(splice.getNumFrames()) + " frames of " +
              std::to_string(featureDim) + " features, but got " +
              showDims(matrix.rows, matrix.cols));
  if (!file.getError().empty())
    return;
  splicedDim = static_cast<int32_t>(spliced);
  ldaDim = static_cast<int32_t>(matrix.rows);
  std::vector<float> weights, offsets(ldaDim);
  for (int64_t r = 0; r < ldaDim; ++r) {
    weights.insert(weights.end(), matrix.row(r), matrix.row(r) + spliced);
    if (matrix.cols > spliced)
      offsets[r] = static_cast<float>(matrix.row(r)[spliced]);
  }
  lda.pack({weights.data(), ldaDim, splicedDim, splicedDim}, offsets);
}

/// Returns the constant of a Gaussian's log-likelihood (spec: ivectors.md 1.2).
static double computeConstant(double weight, const double *meanInvVars,
                              const double *invVars, int64_t dim) {
  double sum = std::log(weight) - 0.5 * double(dim) * std::log(2 * M_PI);
  for (int64_t d = 0; d < dim; ++d)
    sum += 0.5 * std::log(invVars[d]) -
           0.5 * meanInvVars[d] * meanInvVars[d] / invVars[d];
  return std::isinf(sum) ? -INFINITY : sum;
}

void IvectorModel::loadMixture(KaldiFile &file) {
  file.expectToken("<DiagGMM>", "<DiagGMMBegin>");
  if (file.consumeToken("<GCONSTS>"))
    file.readVector();
  file.expectToken("<WEIGHTS>");
  const std::vector<double> weights = file.readVector();
  const auto count = static_cast<int64_t>(weights.size());
  const auto readRows = [&](const char *token, const char *what) {
    file.expectToken(token);
    DoubleMatrix matrix = readFinite(file, what);
    if (count < 1 || matrix.rows != count || matrix.cols != ldaDim)
      file.fail(std::string("expects ") + what + " of " +
                showDims(count, ldaDim) +
                ", for the weights and the rows of the transform, but got " +
                showDims(matrix.rows, matrix.cols));
    return matrix;
  };
  const DoubleMatrix meanInvVars = readRows("<MEANS_INVVARS>", "means");
  const DoubleMatrix invVars = readRows("<INV_VARS>", "inverse variances");
  file.expectToken("</DiagGMM>", "<DiagGMMEnd>");
  file.expectEnd();
  if (!file.getError().empty())
    return;
  numGaussians = static_cast<int32_t>(count);
  std::vector<float> rows, constants;
  for (int64_t g = 0; g < count; ++g) {
    const double constant =
        computeConstant(weights[g], meanInvVars.row(g), invVars.row(g), ldaDim);
    if (std::isnan(constant))
      file.fail("Gaussian " + std::to_string(g) + " has no likelihood");
    constants.push_back(static_cast<float>(constant));
    rows.insert(rows.end(), meanInvVars.row(g), meanInvVars.row(g) + ldaDim);
    rows.insert(rows.end(), invVars.row(g), invVars.row(g) + ldaDim);
  }
  if (std::all_of(constants.begin(), constants.end(),
                  [](float constant) { return std::isinf(constant); }))
    file.fail("expects a Gaussian with a weight above 0");
  gaussians.pack({rows.data(), numGaussians, 2 * ldaDim, 2 * ldaDim},
                 constants);
}

/// Computes the tables of one Gaussian in double precision.
void IvectorModel::addGaussian(int32_t index,
                               const std::vector<double> &projection,
                               const std::vector<double> &inverse) {
  const int64_t rows = ldaDim, cols = ivectorDim;
  std::vector<double> product(rows * cols);
  for (int64_t r = 0, at = 0; r < rows; ++r)
    for (int64_t c = 0; c <= r; ++c, ++at) {
      const double value = inverse[at];
      for (int64_t d = 0; d < cols; ++d)
        product[r * cols + d] += value * projection[c * cols + d];
      for (int64_t d = 0; d < cols && c < r; ++d)
        product[c * cols + d] += value * projection[r * cols + d];
    }
  std::copy(product.begin(), product.end(),
            linear.data() + index * rows * cols);
  std::vector<double> triangle(getPackedSize());
  for (int64_t r = 0; r < rows; ++r) {
    double *to = triangle.data();
    for (int64_t i = 0; i < cols; to += ++i)
      for (int64_t j = 0; j <= i; ++j)
        to[j] += projection[r * cols + i] * product[r * cols + j];
    means[index * rows + r] =
        static_cast<float>(priorOffset * projection[r * cols]);
  }
  std::copy(triangle.begin(), triangle.end(),
            quadratic.data() + index * getPackedSize());
}

void IvectorModel::loadExtractor(KaldiFile &file) {
  file.expectToken("<IvectorExtractor>");
  file.expectToken("<w>");
  if (const DoubleMatrix weights = file.readMatrix(); weights.rows > 0)
    file.fail("expects an extractor whose weights do not depend on the " +
              std::string("i-vector, but got <w> with ") +
              showDims(weights.rows, weights.cols));
  file.expectToken("<w_vec>");
  file.readVector();
  file.expectToken("<M>");
  if (const int32_t count = file.readInt32(); count != numGaussians)
    file.fail("expects an extractor for " + std::to_string(numGaussians) +
              " Gaussians, as the mixture has, but got " +
              std::to_string(count));
  std::vector<DoubleMatrix> projections;
  for (int32_t g = 0; g < numGaussians && file.getError().empty(); ++g) {
    projections.push_back(readFinite(file, "a projection"));
    const DoubleMatrix &projection = projections.back();
    const int64_t cols = projections.front().cols;
    if (cols < 1 || cols > kMostIvectorDims)
      file.fail("expects i-vectors of dimension 1 to 2048, but got " +
                std::to_string(cols));
    if (projection.rows != ldaDim || projection.cols != cols)
      file.fail("expects projections of " + showDims(ldaDim, cols) +
                ", but got " + showDims(projection.rows, projection.cols));
  }
  file.expectToken("<SigmaInv>");
  std::vector<std::vector<double>> inverses;
  for (int32_t g = 0; g < numGaussians && file.getError().empty(); ++g) {
    inverses.push_back(file.readPacked(ldaDim));
    if (!areFinite(inverses.back()))
      file.fail("expects inverse covariances of finite numbers");
  }
  file.expectToken("<IvectorOffset>");
  priorOffset = file.readReal();
  if (!(priorOffset > 0 && std::isfinite(priorOffset)))
    file.fail("expects an offset above 0, but got " +
              std::to_string(priorOffset));
  file.expectToken("</IvectorExtractor>");
  file.expectEnd();
  if (!file.getError().empty())
    return;
  ivectorDim = static_cast<int32_t>(projections.front().cols);
  means.resize(int64_t(numGaussians) * ldaDim);
  linear.resize(int64_t(means.size()) * ivectorDim);
  quadratic.resize(numGaussians * getPackedSize());
  for (int32_t g = 0; g < numGaussians; ++g)
    addGaussian(g, projections[g].values, inverses[g]);
}

/// Loads a configuration file; prefixes errors with its path.
template <typename Options>
static std::string loadConfig(const std::string &path, Options &options) {
  std::string text;
  if (std::string error = readTextFile(path, text); !error.empty())
    return error;
  const std::string error = options.parse(text);
  if (error.empty())
    return error;
  const bool hasPlace = error.front() >= '0' && error.front() <= '9';
  return path + (hasPlace ? ":" : ": ") + error;
}

std::string IvectorModel::load(const std::vector<std::string_view> &arguments) {
  std::string error = options.parse(arguments);
  if (error.empty())
    error = loadConfig(options.spliceConfig, splice);
  if (error.empty())
    error = loadConfig(options.cmvnConfig, cmvn);
  const auto loadFile = [&](const std::string &path,
                            void (IvectorModel::*load)(KaldiFile &)) {
    if (!error.empty())
      return;
    KaldiFile file(path);
    if (file.getError().empty())
      (this->*load)(file);
    error = file.getError();
  };
  loadFile(options.globalCmvnStats, &IvectorModel::loadCmvnStatistics);
  loadFile(options.ldaMatrix, &IvectorModel::loadLda);
  loadFile(options.diagUbm, &IvectorModel::loadMixture);
  loadFile(options.ivectorExtractor, &IvectorModel::loadExtractor);
  return error;
}
