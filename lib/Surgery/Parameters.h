//===- Parameters.h - Parameter matrices of components ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LIB_SURGERY_PARAMETERS_H
#define LIB_SURGERY_PARAMETERS_H

#include "nnet3/Surgery/LinearAlgebra.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace mlir::nnet3 {

/// Returns the tensor `name` of a component as a matrix; a vector has one
/// column. Emits an error if it has no values.
FailureOr<DoubleMatrix> getParameters(Operation *component, StringRef name);

/// Returns a tensor attribute with the elements of `values` for parameter
/// `name` of `component`.
ElementsAttr makeParameters(MLIRContext *context, StringRef component,
                            StringRef name, const DoubleMatrix &values);

/// Like makeParameters(), but of rank 1, for a matrix with one column.
ElementsAttr makeVector(MLIRContext *context, StringRef component,
                        StringRef name, const DoubleMatrix &values);

} // namespace mlir::nnet3

#endif // LIB_SURGERY_PARAMETERS_H
