//===- DoubleTrainer.h - A plain trainer in double precision ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Written from execution.md 2, 3 and components.md 4 to 6, independently of the
// runtime: chains of affine maps with rectifiers between them and a log-softmax
// after the last one.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_TEST_TRAIN_DOUBLETRAINER_H
#define NNET3_RUNTIME_TEST_TRAIN_DOUBLETRAINER_H

#include "DoubleNaturalGradient.h"

namespace nnet3 {
namespace rt {
namespace test {

/// An affine map as one matrix whose last column is the bias.
struct DoubleAffine {
  /// \p parameters: weights, row by row, and bias.
  DoubleAffine(int inputDim, int outputDim,
               const std::vector<float> &parameters);

  DoubleMatrix weights;
  DoubleMatrix delta;
  double learningRate = 0.001, maxChange = 0, l2Regularize = 0;
  bool usesNaturalGradient = false;
  DoubleNaturalGradient inputSide, outputSide;
};

struct DoubleTrainer {
  std::vector<DoubleAffine> layers;
  double momentum = 0, maxParamChange = 2, backstitchScale = 0;

  /// Trains on a minibatch of \p numSequences sequences; returns the objective
  /// of its first forward pass.
  double train(const DoubleMatrix &x, const DoubleMatrix &y, int numSequences);

  /// The linear objective.
  double objective(const DoubleMatrix &x, const DoubleMatrix &y) const;

private:
  double trainBackstitch(const DoubleMatrix &x, const DoubleMatrix &y,
                         int numSequences);
  /// The input of each layer, and the output of the last.
  std::vector<DoubleMatrix> forward(const DoubleMatrix &x) const;
  double accumulate(const DoubleMatrix &x, const DoubleMatrix &y);
  void addGradient(DoubleAffine &layer, DoubleMatrix x, DoubleMatrix dy);
  void addL2(double scale);
  void update(double maxChangeScale, double scale);
  void scaleDelta(double scale);
};

} // namespace test
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_TRAIN_DOUBLETRAINER_H
