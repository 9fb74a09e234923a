//===- Components.h - What the component types share ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LIB_DIALECT_NNET3_IR_COMPONENTS_COMPONENTS_H
#define LIB_DIALECT_NNET3_IR_COMPONENTS_COMPONENTS_H

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

namespace mlir::nnet3::detail {

/// Number in the `init` dictionary under `key`, or `fallback`.
double getInitNumber(DictionaryAttr init, StringRef key, double fallback);

/// An error unless `divisor` divides `dim`.
LogicalResult verifyDivides(Operation *op, StringRef divisorName,
                            int64_t divisor, StringRef dimName, int64_t dim);

/// Verifies the limits that the record of the component states.
LogicalResult verifyLimits(Operation *op);

/// How a tensor's initial values are distributed, or these themselves.
struct InitialTensor {
  StringRef name;
  double mean, stddev;
  std::vector<double> values;
};

/// Gives `op` its tensors, in their order, unless it has its parameters: from
/// the file that `init` names under `fileKey`, or drawn as `initial` says.
LogicalResult initializeTensors(ComponentOpInterface op, StringRef fileKey,
                                ArrayRef<InitialTensor> initial,
                                ParameterInitializer &initializer);

} // namespace mlir::nnet3::detail

#endif // LIB_DIALECT_NNET3_IR_COMPONENTS_COMPONENTS_H
