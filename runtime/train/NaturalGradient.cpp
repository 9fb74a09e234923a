//===- NaturalGradient.cpp - Online natural gradient ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Initialisation, and the passes over rows; NaturalGradientUpdate.cpp has the
// update. The names are those of the spec, components.md 4.3.
//
//===----------------------------------------------------------------------===//

#include "NaturalGradient.h"
#include "SmallMatrix.h"
#include "core/ThreadPool.h"
#include "cpu/math/VectorBackward.h"
#include "cpu/math/VectorMath.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace nnet3 {
namespace rt {

namespace {

/// Columns that a thread takes at a time, or kPieceRows rows. They do not
/// depend on the number of threads, and partial sums are added in order, so
/// that results do not depend on it either.
constexpr int32_t kPieceCols = 80;

/// If preconditioning leaves a smaller fraction of the sum of squares, the sum
/// is recomputed from the rows: the rows of the basis are orthogonal to about
/// 1e-6, an error that is a larger part of what is left.
constexpr double kLeastRest = 1e-2;

template <typename Scalar>
BasicMatrixView<Scalar> getChunk(BasicMatrixView<Scalar> x, int32_t begin,
                                 int32_t rows) {
  return {x.row(begin), rows, x.cols, x.stride};
}

int32_t getRowsAtOnce(const ThreadPool *threads) {
  return threads ? kChunksToShare * kChunkRows : kChunkRows;
}

double sumSquares(ConstMatrixView x) {
  if (x.isContiguous())
    return vecSumSquaresSingle(int64_t(x.rows) * x.cols, x.data);
  double sum = 0;
  for (int32_t r = 0; r < x.rows; ++r)
    sum += vecSumSquaresSingle(x.cols, x.row(r));
  return sum;
}

double sumSquares(const JoinedRows &x) {
  double sum = 0;
  for (int32_t i = 0; i < x.count; ++i)
    sum += sumSquares(x.part(i));
  return sum;
}

/// Returns the rows of \p w that are multiplied with matrix \p part of \p x.
template <typename Scalar>
BasicMatrixView<Scalar> getRowsOf(const JoinedRows &x, int32_t part,
                                  const BasicMatrixView<Scalar> &w) {
  const int32_t count = x.cols / x.count;
  return getChunk(w, part * count, count);
}

/// Returns \p x with the padding of its rows as further columns.
template <typename Scalar>
BasicMatrixView<Scalar> withPadding(const BasicMatrixView<Scalar> &x) {
  return {x.data, x.rows, static_cast<int32_t>(x.stride), x.stride};
}

/// out := x w, where \p w and \p out have padding.
void multiplyRows(const JoinedRows &x, ConstMatrixView w, MatrixView out) {
  for (int32_t i = 0; i < x.count; ++i)
    narrowNN(x.part(i), withPadding(getRowsOf(x, i, w)), withPadding(out),
             i == 0 ? NarrowResult::Store : NarrowResult::Add);
}

/// Calls \p compute with the first row and the number of rows of pieces of
/// \p x. Then adds the sum of squares of each piece to \p sum, in order.
template <typename Compute>
void computeRows(const JoinedRows &x, ThreadPool *threads, double &sum,
                 const Compute &compute) {
  double sums[kChunksToShare * kChunkRows / kPieceRows];
  const int32_t pieces = (x.rows + kPieceRows - 1) / kPieceRows;
  shareEach(threads, pieces, [&](int64_t piece) {
    const auto first = static_cast<int32_t>(piece * kPieceRows);
    const int32_t rows = std::min(kPieceRows, x.rows - first);
    compute(first, rows);
    sums[piece] = sumSquares(x.chunk(first, rows));
  });
  sum = std::accumulate(sums, sums + pieces, sum);
}

/// Adds h^T x to \p out if \p adds, and stores it otherwise.
void multiplyColumns(ConstMatrixView h, ConstMatrixView x, MatrixView out,
                     bool adds, ThreadPool *threads) {
  const int32_t pieces = (x.cols + kPieceCols - 1) / kPieceCols;
  shareEach(threads, pieces, [&](int64_t piece) {
    const auto first = static_cast<int32_t>(piece * kPieceCols);
    const int32_t cols = std::min(kPieceCols, x.cols - first);
    narrowTN(h, x.columns(first, cols), out.columns(first, cols),
             adds ? NarrowResult::Add : NarrowResult::Store);
  });
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

double NaturalGradient::precondition(MatrixView x, ThreadPool *threads) {
  if (x.cols == 1 || x.rows == 0) // the rank would be 0
    return 1;
  const bool learns = begin(x, threads);
  return finish(apply(x, learns, threads), learns, threads);
}

PreconditionedProduct
NaturalGradient::preconditionProduct(const JoinedRows &x, ConstMatrixView other,
                                     ThreadPool *threads) {
  if (x.cols == 1 || x.rows == 0)
    return {};
  const bool learns = begin(x, threads);
  const Norms norms = project(x, other, learns, threads);
  PreconditionedProduct result;
  if (std::isfinite(norms.before)) {
    const int32_t rank = estimate.getRank();
    const bool changesBasis = learns && !threads;
    if (changesBasis)
      usedBasis = basis;
    result.basis = changesBasis ? view(usedBasis) : view(basis);
    result.sums = ConstMatrixView(sums.data(), rank, other.cols, other.cols);
  }
  result.scale = finish(norms, learns, threads);
  return result;
}

int64_t NaturalGradient::meanRows(int32_t rows) {
  if (isAlone())
    return rows;
  double sum = rows;
  exchange->sum(&sum, 1);
  return std::llround(sum / exchange->size());
}

std::vector<double> NaturalGradient::eigenvalues() const {
  std::vector<double> result = diagonal();
  for (double &value : result)
    value += rho();
  std::sort(result.rbegin(), result.rend());
  return result;
}

PreconditionerState NaturalGradient::state() {
  finishUpdate();
  return {numSteps, rho(), diagonal(), basis};
}

Status NaturalGradient::setState(PreconditionerState state) {
  pending.reset();
  numSteps = state.steps;
  if (state.isEmpty())
    return Status();
  if (Status status = estimate.restore(state); !status.ok())
    return status;
  allocate();
  basis = std::move(state.basis);
  basisChanged();
  return Status();
}

//===----------------------------------------------------------------------===//
// Initialisation (spec: components.md 4.4)
//===----------------------------------------------------------------------===//

void NaturalGradient::allocate() {
  const int32_t rank = estimate.getRank();
  for (std::vector<float> *matrix : {&basis, &other})
    matrix->resize(size_t(rank) * estimate.getDim());
  work.resize(gramWorkSize(rank));
}

/// Updates the estimate with the first rows up to three times, so that the
/// basis converges to their principal directions. One update is exact if there
/// are no more rows than the rank.
void NaturalGradient::initialize(const JoinedRows &x, ThreadPool *threads) {
  estimate.begin(x.cols);
  allocate();
  estimate.setBasis(view(basis));
  basisChanged();
  bool isFound = false;
  for (int32_t times = 0; times < 3 && !isFound; ++times) {
    Norms norms =
        sweep(x, /*learns=*/true, threads, [](ConstMatrixView, int32_t) {});
    completeSums(norms, /*learns=*/true);
    update(norms.rows, norms.before);
    isFound = norms.rows <= estimate.getRank();
  }
}

//===----------------------------------------------------------------------===//
// Preconditioning
//===----------------------------------------------------------------------===//

/// Initialises the estimate in the first step. Returns whether this step
/// updates the estimate.
bool NaturalGradient::begin(const JoinedRows &x, ThreadPool *threads) {
  finishUpdate();
  if (numSteps == 0)
    initialize(x, threads);
  return !isFrozen && estimate.updatesInStep(numSteps);
}

/// Updates the estimate if \p learns, or puts that off with several threads:
/// they can then update the estimates of all preconditioners concurrently.
/// Returns the scale that preserves the norm.
double NaturalGradient::finish(const Norms &norms, bool learns,
                               ThreadPool *threads) {
  if (!std::isfinite(norms.before))
    return 1;
  if (learns)
    pending = {norms.rows, norms.before};
  if (!threads)
    finishUpdate();
  ++numSteps;
  return norms.getScale();
}

void NaturalGradient::finishUpdate() {
  if (!pending)
    return;
  update(pending->rows, pending->sumSquares);
  pending.reset();
}

/// Calls \p use with H = X W^T of each chunk of rows, and the chunk's first
/// row. If \p learns, sets `other` to H^T X.
template <typename Use>
NaturalGradient::Norms NaturalGradient::sweep(const JoinedRows &x, bool learns,
                                              ThreadPool *threads,
                                              const Use &use) {
  Norms norms;
  norms.rows = x.rows;
  const ConstMatrixView w = makeNarrow(basisColumns, x.cols);
  const int32_t partCols = x.cols / x.count;
  const int32_t rowsAtOnce = getRowsAtOnce(threads);
  const MatrixView all = makeNarrow(coordinates, rowsAtOnce);
  for (int32_t begin = 0; begin < x.rows; begin += rowsAtOnce) {
    const int32_t rows = std::min(rowsAtOnce, x.rows - begin);
    const JoinedRows chunk = x.chunk(begin, rows);
    const MatrixView h = getChunk(all, 0, rows);
    if (JoinedProducts::supports(chunk))
      norms.before += joined.multiply(chunk, view(basis), h, threads);
    else
      computeRows(chunk, threads, norms.before,
                  [&](int32_t first, int32_t count) {
                    multiplyRows(chunk.chunk(first, count), w,
                                 getChunk(h, first, count));
                  });
    for (int32_t i = 0; i < chunk.count && learns; ++i)
      multiplyColumns(h, chunk.part(i),
                      view(other).columns(i * partCols, partCols), begin > 0,
                      threads);
    use(ConstMatrixView(h), begin);
  }
  return norms;
}

/// Sums norms and `other` over processes, and scales `other` by eta/N.
void NaturalGradient::completeSums(Norms &norms, bool learns) {
  const auto size = static_cast<int64_t>(other.size());
  if (!isAlone()) {
    double sums[] = {norms.before, norms.after, double(norms.rows)};
    exchange->sum(sums, 3);
    norms = {sums[0], sums[1], static_cast<int32_t>(sums[2])};
    if (learns)
      exchange->sum(other.data(), size);
  }
  if (learns)
    vecScale(size, static_cast<float>(estimate.getEta(norms.rows) / norms.rows),
             other.data(), other.data());
}

/// X := X - H W.
NaturalGradient::Norms NaturalGradient::apply(MatrixView x, bool learns,
                                              ThreadPool *threads) {
  double after = 0;
  Norms norms =
      sweep(x, learns, threads, [&](ConstMatrixView h, int32_t begin) {
        const MatrixView part = getChunk(x, begin, h.rows);
        computeRows(part, threads, after, [&](int32_t first, int32_t count) {
          narrowNN(getChunk(h, first, count), view(basis),
                   getChunk(part, first, count), NarrowResult::Subtract);
        });
      });
  norms.after = after;
  completeSums(norms, learns);
  return norms;
}

//===----------------------------------------------------------------------===//
// Gradient matmuls
//
// (X - H W)^T other is X^T other - W^T (H^T other). This takes fewer operations
// than subtracting H W from the rows if `other` has fewer columns than X.
//===----------------------------------------------------------------------===//

/// Computes H^T other. Returns the sums of squares of X and of X - H W. As the
/// rows of W are orthogonal, these differ by |h|^2 (2 - |w|^2) for each column
/// h of H and row w of W.
NaturalGradient::Norms NaturalGradient::project(const JoinedRows &x,
                                                ConstMatrixView other,
                                                bool learns,
                                                ThreadPool *threads) {
  const int32_t rank = estimate.getRank();
  columnSquares.assign(rank, 0.0);
  sums.resize(size_t(rank) * other.cols);
  const MatrixView y(sums.data(), rank, other.cols, other.cols);
  Norms norms =
      sweep(x, learns, threads, [&](ConstMatrixView h, int32_t begin) {
        multiplyColumns(h, getChunk(other, begin, h.rows), y, begin > 0,
                        threads);
        for (int32_t r = 0; r < h.rows; ++r)
          vecAddSquares(rank, h.row(r), columnSquares.data());
      });
  norms.after = norms.before;
  for (int32_t i = 0; i < rank; ++i)
    norms.after -= columnSquares[i] * (2 - rowSquares[i]);
  if (norms.after <= kLeastRest * norms.before && norms.before > 0)
    norms.after = sumSquaresOfRest(x);
  completeSums(norms, learns);
  return norms;
}

/// Returns the sum of squares of X - H W, computed row by row.
double NaturalGradient::sumSquaresOfRest(const JoinedRows &x) {
  const MatrixView w = view(basis);
  std::vector<float> rest(x.cols), h(w.rows);
  double sum = 0;
  for (int32_t r = 0; r < x.rows; ++r) {
    for (int32_t i = 0; i < x.count; ++i)
      std::copy_n(x.part(i).row(r), x.cols / x.count,
                  rest.data() + i * (x.cols / x.count));
    for (int32_t i = 0; i < w.rows; ++i)
      h[i] = static_cast<float>(vecDot(x.cols, rest.data(), w.row(i)));
    for (int32_t i = 0; i < w.rows; ++i)
      vecAxpy(x.cols, -h[i], w.row(i), rest.data());
    sum += vecSumSquares(x.cols, rest.data());
  }
  return sum;
}

} // namespace rt
} // namespace nnet3
