//===- Components.h - What the component types share ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LIB_DIALECT_NNET3_IR_COMPONENTS_COMPONENTS_H
#define LIB_DIALECT_NNET3_IR_COMPONENTS_COMPONENTS_H

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

namespace mlir::nnet3::detail {

/// Number in the `init` dictionary under `key`, or `fallback`.
double getInitNumber(DictionaryAttr init, StringRef key, double fallback);

/// String in the `init` dictionary under `key`; empty if there is none.
StringRef getInitFile(DictionaryAttr init, StringRef key);

/// An error unless `divisor` divides `dim`.
LogicalResult verifyDivides(Operation *op, StringRef divisorName,
                            int64_t divisor, StringRef dimName, int64_t dim);

/// Reads a vector of `dim` values named by `init` key `key` into attribute
/// `name`; does nothing, and returns false, if there is no such key.
FailureOr<bool> readVector(Operation *op, DictionaryAttr init, StringRef key,
                           StringRef name, int64_t dim,
                           ParameterInitializer &initializer);

/// Takes parameters from a matrix file of `out` rows and `in` columns, and one
/// more, the bias, if `biasName` is given.
LogicalResult readAffine(Operation *op, StringRef file, int64_t in, int64_t out,
                         StringRef linearName, StringRef biasName,
                         ParameterInitializer &initializer);

} // namespace mlir::nnet3::detail

#endif // LIB_DIALECT_NNET3_IR_COMPONENTS_COMPONENTS_H
