//===- ChainObjective.cpp - Lattice-free MMI ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/runtime/ChainObjective.h"
#include "Denominator.h"
#include "Numerator.h"
#include "cpu/math/VectorMath.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace nnet3 {
namespace rt {

/// Outputs beyond plus and minus this are penalised.
static constexpr float kRange = 30;
/// Largest error of the total occupations of frame 0.
static constexpr double kMostDeviation = 2;
/// The objective per frame if the computation has failed.
static constexpr double kFailedFrame = -10;

template <typename View> static std::string sizeText(const View &matrix) {
  return std::to_string(matrix.rows) + "x" + std::to_string(matrix.cols);
}

static Status checkShapes(const DenominatorGraph &graph,
                          const ChainSupervision &supervision,
                          const ConstMatrixView &output,
                          const MatrixView &derivative,
                          const MatrixView &crossEntropy) {
  if (supervision.numSequences < 1 || supervision.framesPerSequence < 1)
    return invalidArgument("expects at least one sequence and one frame");
  const int64_t rows =
      int64_t(supervision.numSequences) * supervision.framesPerSequence;
  if (output.rows != rows || output.cols != graph.numPdfs())
    return invalidArgument("expects an output of " + std::to_string(rows) +
                           "x" + std::to_string(graph.numPdfs()) +
                           ", but got " + sizeText(output));
  for (const MatrixView &view : {derivative, crossEntropy})
    if (view.data && (view.rows != output.rows || view.cols != output.cols))
      return invalidArgument("expects a derivative of " + sizeText(output) +
                             ", but got " + sizeText(view));
  return Status();
}

static void setZero(const MatrixView &matrix) {
  for (int32_t r = 0; r < matrix.rows; ++r)
    std::fill_n(matrix.row(r), matrix.cols, 0.0f);
}

static void addPenalty(float scale, const ConstMatrixView &output,
                       const MatrixView &derivative) {
  for (int32_t r = 0; r < output.rows; ++r)
    for (int32_t c = 0; c < output.cols; ++c) {
      const float x = output.row(r)[c];
      if (x > kRange)
        derivative.row(r)[c] -= scale * (x - kRange);
      else if (x < -kRange)
        derivative.row(r)[c] -= scale * (x + kRange);
    }
}

/// Returns the l2 term, and adds its derivative.
static double addL2Term(float scale, const ConstMatrixView &output,
                        const MatrixView &derivative) {
  double sum = 0;
  for (int32_t r = 0; r < output.rows; ++r) {
    sum += vecSumSquares(output.cols, output.row(r));
    for (int32_t c = 0; c < output.cols; ++c)
      derivative.row(r)[c] -= scale * output.row(r)[c];
  }
  return -0.5 * scale * sum;
}

Result<ChainObjective> computeChainObjective(
    const DenominatorGraph &graph, const ChainSupervision &supervision,
    const ChainOptions &options, bool penalizesRange, ConstMatrixView output,
    MatrixView derivative, MatrixView crossEntropy) {
  if (Status status =
          checkShapes(graph, supervision, output, derivative, crossEntropy);
      !status.ok())
    return status;
  setZero(derivative);
  auto numerator =
      addNumerator(supervision, options.numThreads, output, derivative);
  if (!numerator.ok())
    return numerator.status();
  for (int32_t r = 0; r < crossEntropy.rows; ++r)
    std::copy_n(derivative.row(r), output.cols, crossEntropy.row(r));
  const float weight = supervision.weight;
  const DenominatorSum sum = subtractDenominator(
      graph, supervision.numSequences, options.leakyHmmCoefficient, weight,
      options.numThreads, output, derivative);

  ChainObjective result;
  result.weight = double(weight) * output.rows;
  // As in Kaldi, the numerator ignores the weight if supervision is end-to-end.
  result.numerator = supervision.endToEnd ? *numerator : weight * *numerator;
  result.denominator = sum.logProbability;
  result.objective = result.numerator - weight * result.denominator;
  const double sequences = supervision.numSequences;
  result.failed =
      !std::isfinite(result.objective) ||
      !(std::abs(sum.pdfOccupation - sequences) <= kMostDeviation) ||
      !(std::abs(sum.stateOccupation - sequences) <= kMostDeviation);
  if (result.failed) {
    result.objective = kFailedFrame * result.weight;
    setZero(derivative);
    setZero(crossEntropy);
  } else if (penalizesRange && options.outOfRangeRegularize != 0) {
    addPenalty(2 * options.outOfRangeRegularize, output, derivative);
  }
  const bool hasL2Term = !supervision.endToEnd || std::isfinite(*numerator);
  if (options.l2Regularize != 0 && hasL2Term)
    result.l2Term =
        addL2Term(weight * options.l2Regularize, output, derivative);
  return result;
}

} // namespace rt
} // namespace nnet3
