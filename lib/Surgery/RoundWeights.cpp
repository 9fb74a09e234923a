//===- RoundWeights.cpp - Rounding weights to fewer bits ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Surgery/RoundWeights.h"
#include "Parameters.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <cmath>

using namespace mlir;
using namespace mlir::nnet3;

/// Added to the diagonal of the moments, relative to its mean, so that chance
/// correlations do not lead to compensation between columns.
static constexpr double kDamping = 0.01;
/// Number of columns per block; their errors are applied to later columns
/// together.
static constexpr int64_t kBlock = 64;
static constexpr double kLargest = 127;

namespace {
/// Rounds the elements of a matrix to a grid. `weights` is the transpose of the
/// matrix.
class Rounder {
public:
  Rounder(const DoubleMatrix &weights, WeightGrid grid) : grid(grid) {
    if (grid != WeightGrid::Int8)
      return;
    largest.resize(weights.cols);
    scales.resize(weights.cols);
    for (int64_t r = 0; r < weights.cols; ++r) {
      for (int64_t c = 0; c < weights.rows; ++c)
        if (std::abs(weights(c, r)) > std::abs(weights(largest[r], r)))
          largest[r] = c;
      scales[r] = std::abs(weights(largest[r], r)) / kLargest;
    }
  }

  /// Returns `value`, an element of the matrix, rounded to the grid.
  double round(int64_t row, int64_t column, double value) const {
    if (grid == WeightGrid::BF16)
      return roundToBf16(value);
    if (!(scales[row] > 0))
      return 0;
    if (column == largest[row])
      return std::copysign(kLargest * scales[row], value);
    return scales[row] *
           std::clamp(std::nearbyint(value / scales[row]), -kLargest, kLargest);
  }

private:
  static double roundToBf16(double value) {
    llvm::APFloat number(value);
    bool losesInfo;
    number.convert(llvm::APFloat::BFloat(), llvm::APFloat::rmNearestTiesToEven,
                   &losesInfo);
    return number.convertToDouble();
  }

  WeightGrid grid;
  /// For each row, the column of the element with the largest magnitude, and
  /// the scale.
  std::vector<int64_t> largest;
  std::vector<double> scales;
};
} // namespace

/// Subtracts `change` from the rows of `matrix`, starting at row `first`.
static void subtractFrom(DoubleMatrix &matrix, int64_t first,
                         const DoubleMatrix &change) {
  double *values = matrix.row(first).data();
  for (auto [i, value] : llvm::enumerate(change.data))
    values[i] -= value;
}

/// Rounds the rows of `weights` in order; row i is column `columns[i]` of the
/// matrix. `factor` is the upper triangular U for which U^T U is the inverse of
/// the moments.
static void roundInTurn(DoubleMatrix &weights, ArrayRef<int64_t> columns,
                        const DoubleMatrix &factor, const Rounder &rounder) {
  const int64_t count = weights.rows;
  for (int64_t begin = 0; begin < count; begin += kBlock) {
    const int64_t end = std::min(begin + kBlock, count);
    DoubleMatrix errors(end - begin, weights.cols);
    for (int64_t i = begin; i < end; ++i) {
      for (auto [r, value, error] :
           llvm::enumerate(weights.row(i), errors.row(i - begin))) {
        const double rounded = rounder.round(r, columns[i], value);
        error = (value - rounded) / factor(i, i);
        value = rounded;
      }
      for (int64_t next = i + 1; next < end; ++next)
        for (auto [value, error] :
             llvm::zip_equal(weights.row(next), errors.row(i - begin)))
          value -= factor(i, next) * error;
    }
    if (end == count)
      return;
    DoubleMatrix rest(count - end, end - begin);
    for (int64_t i = begin; i < end; ++i)
      for (int64_t next = end; next < count; ++next)
        rest(next - end, i - begin) = factor(i, next);
    subtractFrom(weights, end, multiply(rest, errors));
  }
}

/// Returns the moments in the order `columns`, with damping on the diagonal.
static DoubleMatrix sortMoments(const DoubleMatrix &moments,
                                ArrayRef<int64_t> columns) {
  const int64_t count = moments.rows;
  double trace = 0;
  for (int64_t c = 0; c < count; ++c)
    trace += moments(c, c);
  DoubleMatrix sorted(count, count);
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t j = 0; j < count; ++j)
      sorted(i, j) = moments(columns[i], columns[j]);
    sorted(i, i) += kDamping * trace / double(count);
  }
  return sorted;
}

FailureOr<ElementsAttr> mlir::nnet3::roundWeights(Operation *component,
                                                  StringRef name,
                                                  const DoubleMatrix &moments,
                                                  WeightGrid grid) {
  auto weights = getParameters(component, name);
  if (failed(weights))
    return failure();
  const int64_t count = weights->cols;
  StringRef symbol = SymbolTable::getSymbolName(component).getValue();
  if (moments.rows != count || moments.cols != count)
    return emitError(component->getLoc())
           << "expects moments of the inputs of '" << symbol << "' of " << count
           << " x " << count << ", but got " << moments.rows << " x "
           << moments.cols;
  // Round the columns with the largest moments first: the later columns can
  // compensate their errors.
  auto columns = llvm::to_vector(llvm::seq<int64_t>(count));
  llvm::sort(columns, [&](int64_t a, int64_t b) {
    return std::pair(moments(b, b), a) < std::pair(moments(a, a), b);
  });
  // If all inputs are zero, any weights are equal.
  if (moments(columns.front(), columns.front()) == 0)
    return component->getAttrOfType<ElementsAttr>(name);
  auto factor = factorInverse(sortMoments(moments, columns));
  if (failed(factor))
    return emitError(component->getLoc())
           << "the moments of the inputs of '" << symbol << "' are not finite";
  DoubleMatrix original = transpose(*weights);
  DoubleMatrix sorted(original.rows, original.cols);
  for (int64_t i = 0; i < count; ++i)
    llvm::copy(original.row(columns[i]), sorted.row(i).begin());
  roundInTurn(sorted, columns, *factor, Rounder(original, grid));
  for (int64_t i = 0; i < count; ++i)
    llvm::copy(sorted.row(i), original.row(columns[i]).begin());
  return makeParameters(component->getContext(), symbol, name,
                        transpose(original));
}
