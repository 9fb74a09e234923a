//===- NaturalGradient.cpp - Online natural gradient ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Here: the beginning, and what goes over the rows. The names are those of the
// spec, components.md 4.3.
//
//===----------------------------------------------------------------------===//

#include "NaturalGradient.h"
#include "SmallMatrix.h"
#include "core/Gemm.h"
#include "cpu/math/VectorMath.h"
#include "nnet3/runtime/Exchange.h"

#include <algorithm>
#include <cmath>

namespace nnet3 {
namespace rt {

namespace {

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

ConstMatrixView NaturalGradient::scaledBasis() const {
  return ConstMatrixView(basis.data(), estimate.getRank(), estimate.getDim(),
                         estimate.getDim());
}

double NaturalGradient::precondition(MatrixView x) {
  if (x.cols == 1 || x.rows == 0) // the rank would be 0
    return 1;
  if (numSteps == 0)
    initialize(x);
  const bool updating = !isFrozen && estimate.updatesInStep(numSteps);
  const Norms norms = sweep(x, updating, /*apply=*/true);
  if (!std::isfinite(norms.before))
    return 1;
  if (updating)
    update(norms.rows, norms.before);
  ++numSteps;
  return norms.before > 0 ? std::sqrt(norms.before / norms.after) : 1;
}

std::vector<double> NaturalGradient::eigenvalues() const {
  std::vector<double> result = diagonal();
  for (double &value : result)
    value += rho();
  std::sort(result.rbegin(), result.rend());
  return result;
}

Status NaturalGradient::visitState(const std::string &prefix,
                                   StateVisitor &visitor) {
  double newRho = rho();
  std::vector<double> newDiagonal = diagonal();
  Status status = visitor.visit(prefix + "steps", numSteps);
  if (status.ok())
    status = visitor.visit(prefix + "rho", newRho);
  if (status.ok())
    status = visitor.visit(prefix + "d", newDiagonal);
  if (status.ok())
    status = visitor.visit(prefix + "basis", basis);
  const bool isSame = newRho == rho() && newDiagonal == diagonal();
  if (!status.ok() || isSame)
    return status;
  if (newDiagonal.empty())
    return invalidArgument("'" + prefix + "d' has no values");
  const size_t rank = newDiagonal.size(), columns = basis.size() / rank;
  if (columns < 2 || columns * rank != basis.size() ||
      estimate.getRankFor(columns) != int64_t(rank))
    return invalidArgument(
        "'" + prefix + "basis' has " + std::to_string(basis.size()) +
        " values, which does not go with a rank of " + std::to_string(rank));
  allocate(static_cast<int32_t>(columns));
  estimate.restore(static_cast<int32_t>(columns), newRho,
                   std::move(newDiagonal));
  return status;
}

//===----------------------------------------------------------------------===//
// The beginning (spec: components.md 4.4)
//===----------------------------------------------------------------------===//

void NaturalGradient::allocate(int32_t columns) {
  estimate.begin(columns);
  const int32_t rank = estimate.getRank();
  for (std::vector<float> *matrix : {&basis, &other})
    matrix->resize(size_t(rank) * columns);
  coordinates.resize(size_t(kChunkRows) * rank);
  work.resize(gramWorkSize(rank));
}

/// Updates with the first rows more often than once find their principal
/// directions. With no more rows than the rank, the first time finds them.
void NaturalGradient::initialize(MatrixView x) {
  allocate(x.cols);
  estimate.setBasis(view(basis));
  bool isFound = false;
  for (int32_t times = 0; times < 3 && !isFound; ++times) {
    const Norms norms = sweep(x, /*gather=*/true, /*apply=*/false);
    update(norms.rows, norms.before);
    isFound = norms.rows <= estimate.getRank();
  }
}

//===----------------------------------------------------------------------===//
// Preconditioning
//===----------------------------------------------------------------------===//

/// Gathers (eta/N) H^T X, and applies X := X - H W. Over several processes N
/// is known at the end only.
NaturalGradient::Norms NaturalGradient::sweep(MatrixView x, bool gather,
                                              bool apply) {
  Norms norms;
  norms.rows = x.rows;
  const int32_t rank = estimate.getRank();
  const MatrixView w = view(basis), j = view(other);
  if (gather)
    std::fill(other.begin(), other.end(), 0.0f);
  const bool isAlone = !exchange || exchange->size() == 1;
  const float share =
      isAlone ? static_cast<float>(estimate.getEta(x.rows) / x.rows) : 1.0f;
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
  return isAlone ? norms : sumOverProcesses(norms, gather);
}

NaturalGradient::Norms NaturalGradient::sumOverProcesses(Norms norms,
                                                         bool gather) {
  double sums[] = {norms.before, norms.after, double(norms.rows)};
  exchange->sum(sums, 3);
  norms = {sums[0], sums[1], static_cast<int32_t>(sums[2])};
  if (!gather)
    return norms;
  exchange->sum(other.data(), static_cast<int64_t>(other.size()));
  const auto share =
      static_cast<float>(estimate.getEta(norms.rows) / norms.rows);
  vecScale(static_cast<int64_t>(other.size()), share, other.data(),
           other.data());
  return norms;
}

} // namespace rt
} // namespace nnet3
