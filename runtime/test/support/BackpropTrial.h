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

/// How a component is tried.
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
  /// Without: nobody keeps statistics, or wants the parameters' gradient.
  bool hasModel = true;
  bool hasGradient = true;
  /// What the input derivative holds before.
  float initialDeriv = 0;
  /// Overwrite the input value (or the output value) with nonsense before the
  /// backward pass.
  bool spoilInput = false;
  bool spoilOutput = false;
  uint64_t seed = 0;
  /// Changes the models before the run: the network's and the gradient's.
  std::function<void(Model &, Model &)> prepare;
};

/// What came out.
struct BackpropResult {
  std::shared_ptr<const Program> program;
  Matrix output;
  Matrix inDeriv;
  std::unique_ptr<Model> model;    ///< of the network, with statistics
  std::unique_ptr<Model> gradient; ///< zero before the run, and set as gradient
};

/// Runs one component forward and backward, as a part of matrices that are
/// larger, so that strides exceed columns, and checks that nothing around the
/// input derivative is written. The values that the component's properties do
/// not ask for are not given to it. Where anything fails, the test does.
BackpropResult backprop(const BackpropTrial &trial, const Matrix &input,
                        const Matrix &outDeriv);

/// The derivative that central differences give: d/dx of sum(f(x) . outDeriv),
/// f being the component without its statistics.
Matrix numericInDeriv(const BackpropTrial &trial, const Matrix &input,
                      const Matrix &outDeriv, float delta = 1e-2f);

/// The same for parameter \p index of the component.
Matrix numericGradient(const BackpropTrial &trial, int32_t index,
                       const Matrix &input, const Matrix &outDeriv,
                       float delta = 1e-2f);

/// A trial of a component whose output is of the size of its input.
BackpropTrial trialOf(const std::string &type, Attrs attrs,
                      const Matrix &input);

/// The input derivative, which is expected to be the same in place, and without
/// models.
Matrix inDerivBothWays(const BackpropTrial &trial, const Matrix &input,
                       const Matrix &outDeriv);

/// What the only component of \p model exports of its statistics that are
/// single numbers: "name=value " for each, as an integer.
std::string exportedNumbers(const Model &model);

/// A copy of parameter \p index of the only component of \p model.
Matrix parameterOf(const Model &model, int32_t index);

} // namespace test
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_SUPPORT_BACKPROPTRIAL_H
