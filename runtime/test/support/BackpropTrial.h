//===- BackpropTrial.h - Components run forward and backward ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TEST_SUPPORT_BACKPROPTRIAL_H
#define NNET3_RUNTIME_TEST_SUPPORT_BACKPROPTRIAL_H

#include "ProgramWriter.h"
#include "nnet3/runtime/Model.h"

#include <functional>
#include <memory>
#include <string>

namespace nnet3 {
namespace rt {
namespace test {

/// The description of a test run of a component.
struct BackpropTrial {
  std::string type;
  Attrs attrs;
  Attrs precomputed; ///< none where empty
  int32_t outRows = 0;
  int32_t outCols = 0;
  bool inPlaceForward = false;
  bool inPlaceBackward = false;
  bool storeStats = false;
  bool wantsInputDeriv = true;
  /// Whether statistics are kept, and whether the gradient is computed.
  bool hasModel = true;
  bool hasGradient = true;
  /// Initial value of the input derivative.
  float initialDeriv = 0;
  /// Overwrite the input value (or the output value) with nonsense before the
  /// backward pass.
  bool spoilInput = false;
  bool spoilOutput = false;
  uint64_t seed = 0;
  /// Changes the models before the run: the network's and the gradient's.
  std::function<void(Model &, Model &)> prepare;
};

/// The results of a test run.
struct BackpropResult {
  std::shared_ptr<const Program> program;
  Matrix output;
  Matrix inDeriv;
  std::unique_ptr<Model> model;    ///< of the network, with statistics
  std::unique_ptr<Model> gradient; ///< zero before the run, and set as gradient
};

/// Runs one component forward and backward. Operands are parts of larger
/// matrices, so that strides exceed columns; checks that nothing around the
/// input derivative is written. Values that the component's properties do not
/// request are not passed. Errors fail the test.
BackpropResult backprop(const BackpropTrial &trial, const Matrix &input,
                        const Matrix &outDeriv);

/// The input derivative by central differences: d/dx of sum(f(x) . outDeriv),
/// where f is the component without its statistics.
Matrix numericInDeriv(const BackpropTrial &trial, const Matrix &input,
                      const Matrix &outDeriv, float delta = 1e-2f);

/// The gradient of parameter \p index by central differences.
Matrix numericGradient(const BackpropTrial &trial, int32_t index,
                       const Matrix &input, const Matrix &outDeriv,
                       float delta = 1e-2f);

/// Makes a trial of a component whose output has the size of its input.
BackpropTrial trialOf(const std::string &type, Attrs attrs,
                      const Matrix &input);

/// Returns the input derivative, and expects equal results in place and without
/// models.
Matrix inDerivBothWays(const BackpropTrial &trial, const Matrix &input,
                       const Matrix &outDeriv);

/// Returns "name=value " for each exported single-number statistic of the only
/// component of \p model, as an integer.
std::string exportedNumbers(const Model &model);

/// A copy of parameter \p index of the only component of \p model.
Matrix parameterOf(const Model &model, int32_t index);

} // namespace test
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_SUPPORT_BACKPROPTRIAL_H
