//===- Comparison.cpp - Comparison of matrices ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Comparison.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace nnet3 {
namespace rt {

namespace {

std::string format(const char *text, double a, double b) {
  char buffer[128];
  std::snprintf(buffer, sizeof(buffer), text, a, b);
  return buffer;
}

/// Returns the columns 0 to \p cols - 1 without \p ignored.
std::vector<int64_t>
countedColumns(int32_t cols,
               const flatbuffers::Vector<int32_t> *ignored = nullptr) {
  std::vector<int64_t> columns;
  for (int32_t col = 0; col < cols; ++col)
    if (!ignored ||
        std::find(ignored->begin(), ignored->end(), col) == ignored->end())
      columns.push_back(col);
  return columns;
}

/// Returns an error message if the dims differ, else an empty string.
std::string compareDims(const ActualValues &actual,
                        const ConstMatrixView &right) {
  if (actual.rows == right.rows && actual.cols == right.cols)
    return {};
  return "expected " + std::to_string(right.rows) + " x " +
         std::to_string(right.cols) + ", got " + std::to_string(actual.rows) +
         " x " + std::to_string(actual.cols);
}

/// Calls \p visit(row, col, actual, expected) for all elements of \p columns.
template <typename Visit>
void forEach(const ActualValues &actual, const ConstMatrixView &right,
             const std::vector<int64_t> &columns, Visit visit) {
  for (int64_t row = 0; row < actual.rows; ++row)
    for (int64_t col : columns)
      visit(row, col, actual.at(row, col), double(right.row(row)[col]));
}

std::string compareElements(const ActualValues &actual,
                            const ConstMatrixView &right,
                            const std::vector<int64_t> &columns,
                            double tolerance) {
  int64_t wrong = 0, count = 0;
  std::string first;
  forEach(actual, right, columns,
          [&](int64_t row, int64_t col, double a, double b) {
            ++count;
            // Not `>`, so that NaN is wrong.
            if (std::abs(a - b) <= tolerance * (1 + std::abs(b)))
              return;
            if (wrong++ == 0)
              first = "[" + std::to_string(row) + ", " + std::to_string(col) +
                      "]: " + format("expected %.9g, got %.9g", b, a);
          });
  if (wrong == 0)
    return {};
  return std::to_string(wrong) + " of " + std::to_string(count) +
         " values differ, first at " + first;
}

std::string compareByRms(const ActualValues &actual,
                         const ConstMatrixView &right,
                         const std::vector<int64_t> &columns, double tolerance,
                         double floor) {
  double error = 0, sum = 0;
  int64_t count = 0;
  forEach(actual, right, columns, [&](int64_t, int64_t, double a, double b) {
    error += (a - b) * (a - b);
    sum += b * b;
    ++count;
  });
  if (count == 0)
    return {};
  error = std::sqrt(error / count);
  const double size = std::max(std::sqrt(sum / count), floor);
  if (error <= tolerance * size)
    return {};
  return format("rms error %.3g, but rms %.3g", error, size);
}

/// Whether the matrix is empty or zero.
bool isNothing(const ActualValues &actual) {
  for (int64_t row = 0; row < actual.rows; ++row)
    for (int64_t col = 0; col < actual.cols; ++col)
      if (actual.at(row, col) != 0)
        return false;
  return true;
}

} // namespace

ActualValues valuesOf(ConstMatrixView view) {
  return {view.rows, view.cols, [view](int64_t row, int64_t col) {
            return double(view.row(row)[col]);
          }};
}

std::string compare(const ActualValues &actual, ConstMatrixView expected,
                    double tolerance) {
  const std::string wrong = compareDims(actual, expected);
  return wrong.empty()
             ? compareElements(actual, expected, countedColumns(expected.cols),
                               tolerance)
             : wrong;
}

std::string compare(const ActualValues &actual,
                    const schema::Expected &expected, const CasePack &pack,
                    double rmsError) {
  if (expected.optional() && isNothing(actual))
    return {};
  const ConstMatrixView right = pack.values(*expected.value());
  if (std::string wrong = compareDims(actual, right); !wrong.empty())
    return wrong;
  const std::vector<int64_t> columns =
      countedColumns(right.cols, expected.ignored_columns());
  if (rmsError > 0)
    return compareByRms(actual, right, columns, rmsError, /*floor=*/0);
  return expected.by_rms()
             ? compareByRms(actual, right, columns, expected.tolerance(),
                            expected.floor())
             : compareElements(actual, right, columns, expected.tolerance());
}

} // namespace rt
} // namespace nnet3
