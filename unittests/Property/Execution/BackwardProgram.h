//===- BackwardProgram.h - Derivatives from the runtime ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_EXECUTION_BACKWARDPROGRAM_H
#define NNET3_UNITTESTS_PROPERTY_EXECUTION_BACKWARDPROGRAM_H

#include "Execution.h"

#include "nnet3/runtime/Model.h"

namespace mlir::nnet3::property {

/// The name under which `BackwardProgram` has the derivative of an input.
inline constexpr char kValue[] = "value";

/// What a run forward and backward gave.
struct Derivatives {
  Tensors outputs; ///< values, by node
  /// Of input nodes, and of components that have parameters.
  std::map<std::string, Tensors> of;

  friend bool operator==(const Derivatives &a, const Derivatives &b) {
    return a.outputs == b.outputs && a.of == b.of;
  }
};

/// How two lists of tensors differ by more than `tolerance` times the size of
/// a tensor or of 1, or "".
std::string compareTensors(const std::string &what, const Tensors &actual,
                           const Tensors &expected, double tolerance = 0);

/// What `model`, of the network of a case, has as parameters, by component.
std::map<std::string, Tensors> readParameters(const Case &test,
                                              const ::nnet3::rt::Model &model);

/// All that `model` has of its components.
std::map<std::string, Tensors> readState(const ::nnet3::rt::Model &model);

/// A computation of a case with a model to take parameters from and another for
/// the gradient.
class BackwardProgram {
public:
  /// Refers to `test`. With `poison`, memory whose contents are undefined is
  /// full of NaN.
  static ::nnet3::rt::Result<std::unique_ptr<BackwardProgram>>
  create(const Case &test, ComputationOp computation, bool poison = false);

  /// Runs both passes on the values of `request`, which is that of the case or
  /// a copy with other values. Without derivatives of outputs there is only the
  /// forward pass.
  ::nnet3::rt::Result<Derivatives> run(const RandomRequest &request);

  /// The parameters of the network, by component.
  std::map<std::string, Tensors> getParameters() const;
  /// All that the model has of its components: parameters, and the statistics
  /// of the runs so far.
  std::map<std::string, Tensors> getState() const { return readState(*model); }
  const ::nnet3::rt::Model &getModel() const { return *model; }
  const ::nnet3::rt::Model &getGradient() const { return *gradient; }

private:
  explicit BackwardProgram(const Case &test) : test(test) {}

  const Case &test;
  std::unique_ptr<::nnet3::rt::Model> model, gradient;
  std::unique_ptr<::nnet3::rt::Instance> instance;
};

/// What `computation` gives on the values of `test`, in memory full of NaN. If
/// it does not run, the test fails.
Derivatives runPoisoned(const Case &test, ComputationOp computation);

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_EXECUTION_BACKWARDPROGRAM_H
