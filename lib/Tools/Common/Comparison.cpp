//===- Comparison.cpp - Comparing outputs ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/Common/Comparison.h"

#include "llvm/Support/Format.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

double mlir::nnet3::getDifference(float reference, float actual) {
  // Logarithms of zero are equal infinities.
  if (reference == actual || (std::isnan(reference) && std::isnan(actual)))
    return 0;
  const double difference = std::abs(double(actual) - reference);
  return std::isnan(difference) ? std::numeric_limits<double>::infinity()
                                : difference;
}

/// Returns the sum of the squares of the finite elements.
static double getSquares(rt::ConstMatrixView matrix) {
  double sum = 0;
  for (int32_t r = 0; r < matrix.rows; ++r)
    for (int32_t c = 0; c < matrix.cols; ++c)
      if (float value = matrix.row(r)[c]; std::isfinite(value))
        sum += double(value) * value;
  return sum;
}

void Comparison::addRow(const float *reference, const float *actual,
                        int32_t columns, double floor) {
  for (int32_t c = 0; c < columns; ++c) {
    numReferenceNaN += std::isnan(reference[c]);
    numActualNaN += std::isnan(actual[c]);
    const double difference = getDifference(reference[c], actual[c]);
    if (difference == 0)
      continue;
    maxAbsolute = std::max(maxAbsolute, difference);
    const double magnitude = std::max(std::abs(double(reference[c])), floor);
    // A difference from zero gives infinity. An infinite difference stays
    // infinite, where the division could give NaN.
    maxRelative =
        std::max(maxRelative,
                 std::isinf(difference) ? difference : difference / magnitude);
    squaredError += difference * difference;
  }
  agreeingRows +=
      std::max_element(reference, reference + columns) - reference ==
      std::max_element(actual, actual + columns) - actual;
}

void Comparison::add(rt::ConstMatrixView reference,
                     rt::ConstMatrixView actual) {
  const double squares = getSquares(reference);
  const double count = std::max(1.0, double(reference.rows) * reference.cols);
  const double floor = std::sqrt(squares / count) / 100;
  squaredReference += squares;
  rows += reference.rows;
  columns = reference.cols;
  for (int32_t r = 0; r < reference.rows; ++r)
    addRow(reference.row(r), actual.row(r), reference.cols, floor);
}

double Comparison::getRelativeRms() const {
  return squaredError == 0 ? 0 : std::sqrt(squaredError / squaredReference);
}

double Comparison::getArgmaxShare() const {
  return rows == 0 ? 1 : double(agreeingRows) / double(rows);
}

void Comparison::print(llvm::raw_ostream &os, llvm::StringRef name,
                       llvm::StringRef what) const {
  os << "accuracy of '" << name << "', " << what << ": "
     << llvm::format("max abs %.3g, max rel %.3g, rms error / rms %.3g",
                     maxAbsolute, maxRelative, getRelativeRms());
  // The argmax only makes sense for the scores of several classes.
  if (columns > 1)
    os << llvm::format(", same argmax %.2f%%", 100 * getArgmaxShare());
  if (numReferenceNaN || numActualNaN)
    os << ", NaN: " << numReferenceNaN << " in the reference, " << numActualNaN
       << " in the result";
  os << " (" << rows << " x " << columns << ")\n";
}
