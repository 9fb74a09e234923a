//===- BackwardProgram.h - Derivatives computed by the runtime --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_EXECUTION_BACKWARDPROGRAM_H
#define NNET3_UNITTESTS_PROPERTY_EXECUTION_BACKWARDPROGRAM_H

#include "Execution.h"

#include "nnet3/runtime/Model.h"

namespace mlir::nnet3::property {

/// The name of an input's derivative in `BackwardProgram`.
inline constexpr char kValue[] = "value";

/// The results of a forward and a backward pass.
struct Derivatives {
  Tensors outputs; ///< values, by node
  /// Derivatives by name of an input node, or of a component with parameters.
  std::map<std::string, Tensors> of;

  friend bool operator==(const Derivatives &a, const Derivatives &b) {
    return a.outputs == b.outputs && a.of == b.of;
  }
};

/// Describes a difference of two lists of tensors above `tolerance` times the
/// size of a tensor, at least 1; or returns "".
std::string compareTensors(const std::string &what, const Tensors &actual,
                           const Tensors &expected, double tolerance = 0);

/// Returns the parameters in `model`, of the network of a case, by component.
std::map<std::string, Tensors> readParameters(const Case &test,
                                              const ::nnet3::rt::Model &model);

/// Returns the whole state in `model` by component.
std::map<std::string, Tensors> readState(const ::nnet3::rt::Model &model);

/// Runs a computation of a case, with one model for the parameters and another
/// one for the gradient.
class BackwardProgram {
public:
  /// Refers to `test`. With `poison`, undefined memory is filled with NaN.
  static ::nnet3::rt::Result<std::unique_ptr<BackwardProgram>>
  create(const Case &test, ComputationOp computation, bool poison = false);

  /// Runs both passes on the values of `request`: the case's request or a copy
  /// with other values. Without output derivatives there is only the forward
  /// pass.
  ::nnet3::rt::Result<Derivatives> run(const RandomRequest &request);

  /// Returns the parameters of the network by component.
  std::map<std::string, Tensors> getParameters() const;
  /// Returns the parameters and the statistics of the runs so far by component.
  std::map<std::string, Tensors> getState() const { return readState(*model); }
  const ::nnet3::rt::Model &getModel() const { return *model; }
  const ::nnet3::rt::Model &getGradient() const { return *gradient; }

private:
  explicit BackwardProgram(const Case &test) : test(test) {}

  const Case &test;
  std::unique_ptr<::nnet3::rt::Model> model, gradient;
  std::unique_ptr<::nnet3::rt::Instance> instance;
};

/// Returns the results of `computation` on the values of `test`, in memory
/// filled with NaN. The test fails if it does not run.
Derivatives runPoisoned(const Case &test, ComputationOp computation);

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_EXECUTION_BACKWARDPROGRAM_H
