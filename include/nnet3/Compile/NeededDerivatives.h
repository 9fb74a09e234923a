//===- NeededDerivatives.h - Which steps have derivatives -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_COMPILE_NEEDEDDERIVATIVES_H
#define NNET3_COMPILE_NEEDEDDERIVATIVES_H

#include "nnet3/Compile/Steps.h"

namespace mlir::nnet3 {

/// What a request wants of the backward pass.
struct DerivativeRequest {
  bool modelDerivative = false;
  /// Nodes of the inputs whose derivatives are wanted.
  DenseSet<int32_t> inputs;
  /// Nodes of the outputs whose derivatives the caller supplies.
  DenseSet<int32_t> outputs;

  /// Whether anything is wanted.
  bool needsDerivatives() const { return modelDerivative || !inputs.empty(); }
};

DerivativeRequest getDerivativeRequest(RequestOp request,
                                       const RequestRows &rows);

/// For each step, whether the derivative of its value is needed: something at
/// or before it wants it (compile.md 7.1). An output has one if and only if the
/// caller supplies it; otherwise it is zero.
std::vector<bool> computeNeededDerivatives(const ComputationGraph &graph,
                                           const StepList &steps,
                                           const DerivativeRequest &request);

} // namespace mlir::nnet3

#endif // NNET3_COMPILE_NEEDEDDERIVATIVES_H
