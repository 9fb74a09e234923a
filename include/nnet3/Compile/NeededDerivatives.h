//===- NeededDerivatives.h - Derivatives of steps ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_COMPILE_NEEDEDDERIVATIVES_H
#define NNET3_COMPILE_NEEDEDDERIVATIVES_H

#include "nnet3/Compile/Steps.h"

namespace mlir::nnet3 {

/// The derivatives that a request asks for.
struct DerivativeRequest {
  bool modelDerivative = false;
  /// Nodes of the inputs whose derivatives are requested.
  DenseSet<int32_t> inputs;
  /// Nodes of the outputs whose derivatives the caller supplies.
  DenseSet<int32_t> outputs;

  /// Whether the request has a backward pass.
  bool needsDerivatives() const { return modelDerivative || !inputs.empty(); }
};

DerivativeRequest getDerivativeRequest(RequestOp request,
                                       const RequestRows &rows);

/// Returns for each step whether the derivative of its value is needed, because
/// a derivative is requested at the step or before it (compile.md 7.1). For an
/// output, returns whether the caller supplies the derivative; otherwise it is
/// zero.
std::vector<bool> computeNeededDerivatives(const ComputationGraph &graph,
                                           const StepList &steps,
                                           const DerivativeRequest &request);

} // namespace mlir::nnet3

#endif // NNET3_COMPILE_NEEDEDDERIVATIVES_H
