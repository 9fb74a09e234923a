//===- NaturalGradient.cpp - Online natural gradient ----------------------===//
//
// Here: the beginning, and what goes over the rows. The names are those of the
// spec, components.md 4.3.
//
//===----------------------------------------------------------------------===//

#include "NaturalGradient.h"
#include "SmallMatrix.h"
#include "core/Gemm.h"
#include "cpu/VectorMath.h"

#include <algorithm>
#include <cmath>

namespace nnet3 {
namespace runtime {

namespace {

constexpr int64_t kNumInitialUpdates = 10;

/// Rows that go through all products while they are in the cache.
constexpr int32_t kChunkRows = 256;

double sumSquares(ConstMatrixView x) {
  if (x.isContiguous())
    return vecSumSquares(int64_t(x.rows) * x.cols, x.data);
  double sum = 0;
  for (int32_t r = 0; r < x.rows; ++r)
    sum += vecSumSquares(x.cols, x.row(r));
  return sum;
}

} // namespace

std::unique_ptr<Preconditioner>
makePreconditioner(const NaturalGradientOptions &options) {
  return std::make_unique<NaturalGradient>(options);
}

NaturalGradient::NaturalGradient(const NaturalGradientOptions &options)
    : options(options) {}

ConstMatrixView NaturalGradient::scaledBasis() const {
  return ConstMatrixView(basis.data(), rank, dim, dim);
}

double NaturalGradient::precondition(MatrixView x) {
  if (x.cols == 1 || x.rows == 0) // the rank would be 0
    return 1;
  if (numSteps == 0)
    initialize(x);
  const bool updating = isUpdating();
  const Norms norms = sweep(x, updating, /*apply=*/true);
  if (!std::isfinite(norms.before))
    return 1;
  if (updating)
    update(x.rows, norms.before);
  ++numSteps;
  return norms.before > 0 ? std::sqrt(norms.before / norms.after) : 1;
}

//===----------------------------------------------------------------------===//
// The beginning (spec: components.md 4.4)
//===----------------------------------------------------------------------===//

void NaturalGradient::allocate(int32_t columns) {
  dim = columns;
  rank = std::min(options.rank, columns - 1);
  const size_t size = size_t(rank) * dim, squareSize = size_t(rank) * rank;
  for (std::vector<float> *matrix : {&basis, &other})
    matrix->resize(size);
  for (std::vector<double> *vector : {&d, &e, &eigenvalues})
    vector->resize(rank);
  coordinates.resize(size_t(kChunkRows) * rank);
  square.resize(squareSize);
  z.resize(squareSize);
  work.resize(std::max(eigenWorkSize(rank), gramWorkSize(rank)));
}

/// A basis of stripes: row r has the columns r, r + rank, ...
void NaturalGradient::setDefault() {
  constexpr double kFirst = 1.1;
  identityPart = kNaturalGradientEpsilon;
  std::fill(d.begin(), d.end(), kNaturalGradientEpsilon);
  setScales();
  std::fill(basis.begin(), basis.end(), 0.0f);
  for (int32_t r = 0; r < rank; ++r) {
    const int32_t others = (dim - r - 1) / rank;
    const double scale = std::sqrt(e[r] / (kFirst * kFirst + others));
    float *row = view(basis).row(r);
    row[r] = static_cast<float>(kFirst * scale);
    for (int32_t c = r + rank; c < dim; c += rank)
      row[c] = static_cast<float>(scale);
  }
}

/// Updates with the first rows more often than once find their principal
/// directions. With no more rows than the rank, the first time finds them.
void NaturalGradient::initialize(MatrixView x) {
  allocate(x.cols);
  setDefault();
  for (int32_t times = x.rows <= rank ? 1 : 3; times > 0; --times) {
    const Norms norms = sweep(x, /*gather=*/true, /*apply=*/false);
    update(x.rows, norms.before);
  }
}

//===----------------------------------------------------------------------===//
// Preconditioning
//===----------------------------------------------------------------------===//

bool NaturalGradient::isUpdating() const {
  return !isFrozen &&
         (numSteps <= kNumInitialUpdates ||
          (numSteps - kNumInitialUpdates) % options.updatePeriod == 0);
}

double NaturalGradient::eta(int32_t rows) const {
  if (options.numMinibatchesHistory > 0)
    return 1.0 / options.numMinibatchesHistory;
  return std::min(0.9, -std::expm1(-rows / double(options.numSamplesHistory)));
}

/// Gathers (eta/N) H^T X, and applies X := X - H W.
NaturalGradient::Norms NaturalGradient::sweep(MatrixView x, bool gather,
                                              bool apply) {
  Norms norms;
  const MatrixView w = view(basis), j = view(other);
  if (gather)
    std::fill(other.begin(), other.end(), 0.0f);
  const float share = static_cast<float>(eta(x.rows) / x.rows);
  for (int32_t begin = 0; begin < x.rows; begin += kChunkRows) {
    const int32_t rows = std::min(kChunkRows, x.rows - begin);
    const MatrixView part(x.row(begin), rows, x.cols, x.stride);
    const MatrixView h(coordinates.data(), rows, rank, rank);
    norms.before += sumSquares(part);
    gemmNT(part, w, 0.0f, h);
    if (gather)
      gemmTN(h, part, share, j);
    if (!apply)
      continue;
    gemmNN(h, w, -1.0f, 1.0f, part);
    norms.after += sumSquares(part);
  }
  return norms;
}

} // namespace runtime
} // namespace nnet3
