//===- Components.h - Helpers of component types ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LIB_DIALECT_NNET3_IR_COMPONENTS_COMPONENTS_H
#define LIB_DIALECT_NNET3_IR_COMPONENTS_COMPONENTS_H

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

namespace mlir::nnet3::detail {

/// Returns the number in `init` under `key`, or `fallback`.
double getInitNumber(DictionaryAttr init, StringRef key, double fallback);

/// Emits an error unless `divisor` divides `dim`.
LogicalResult verifyDivides(Operation *op, StringRef divisorName,
                            int64_t divisor, StringRef dimName, int64_t dim);

/// Verifies the limits that the record of the component states.
LogicalResult verifyLimits(Operation *op);

/// The distribution of a tensor's initial values, or the values themselves.
struct InitialTensor {
  StringRef name;
  double mean, stddev;
  std::vector<double> values;
};

/// Sets the tensors of `op`, unless it has its parameters: reads them from the
/// file that `init` names under `fileKey`, or draws them as `initial` says.
LogicalResult initializeTensors(ComponentOpInterface op, StringRef fileKey,
                                ArrayRef<InitialTensor> initial,
                                ParameterInitializer &initializer);

} // namespace mlir::nnet3::detail

#endif // LIB_DIALECT_NNET3_IR_COMPONENTS_COMPONENTS_H
