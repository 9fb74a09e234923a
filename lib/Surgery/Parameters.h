//===- Parameters.h - Matrices of components --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LIB_SURGERY_PARAMETERS_H
#define LIB_SURGERY_PARAMETERS_H

#include "nnet3/Surgery/LinearAlgebra.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace mlir::nnet3 {

/// The tensor `name` of a component; a vector has one column. Emits an error if
/// the component has no values for it.
FailureOr<DoubleMatrix> getParameters(Operation *component, StringRef name);

/// A tensor attribute with the elements of `values`, called `component`'s
/// `name`.
ElementsAttr makeParameters(MLIRContext *context, StringRef component,
                            StringRef name, const DoubleMatrix &values);

/// The same of rank 1, for a matrix of one column.
ElementsAttr makeVector(MLIRContext *context, StringRef component,
                        StringRef name, const DoubleMatrix &values);

} // namespace mlir::nnet3

#endif // LIB_SURGERY_PARAMETERS_H
