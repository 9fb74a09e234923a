//===- NamedFile.h - Files named in configs ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TARGET_KALDI_CONFIG_NAMEDFILE_H
#define LIB_TARGET_KALDI_CONFIG_NAMEDFILE_H

#include "nnet3/Kaldi/Matrix/Matrix.h"

#include "mlir/IR/Location.h"
#include "llvm/Support/LogicalResult.h"

namespace mlir::nnet3 {

/// Reads the matrix, or the vector as a matrix with one row, in `file`. The
/// path is relative to the working directory, or else to the directory of the
/// file in `loc`. Emits an error at `loc` if it cannot be read.
FailureOr<::nnet3::kaldi::Matrix> readNamedMatrix(llvm::StringRef file,
                                                  Location loc);

} // namespace mlir::nnet3

#endif // LIB_TARGET_KALDI_CONFIG_NAMEDFILE_H
