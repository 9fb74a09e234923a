//===- RequestInput.h - Requests and their matrices from files --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_RUN_REQUESTINPUT_H
#define NNET3_TOOLS_RUN_REQUESTINPUT_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"
#include "nnet3/Kaldi/Matrix/Matrix.h"
#include "nnet3/Tools/RunOptions.h"

namespace mlir::nnet3 {

/// Reads the only request in `file` and inserts it after the network. Emits an
/// error if there are several.
llvm::FailureOr<RequestOp> readOnlyRequest(llvm::StringRef file,
                                           NetworkOp network);

/// Reads the matrix of `file`, and checks that it has a row for each of
/// `indexes` and `columns` columns. Emits an error, with `kind` as its name,
/// otherwise.
llvm::FailureOr<::nnet3::kaldi::Matrix> readRequestMatrix(const NamedFile &file,
                                                          IndexesAttr indexes,
                                                          int64_t columns,
                                                          llvm::StringRef kind);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_RUN_REQUESTINPUT_H
