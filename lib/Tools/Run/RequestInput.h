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

/// Reads the one request in `file`, and puts it behind the network. Emits an
/// error if there are more.
llvm::FailureOr<RequestOp> readOnlyRequest(llvm::StringRef file,
                                           NetworkOp network);

/// Reads the matrix of `file`, which is to have a row for each of `indexes` and
/// `columns` columns. Emits an error, which calls it `kind`, where it has not.
llvm::FailureOr<::nnet3::kaldi::Matrix> readRequestMatrix(const NamedFile &file,
                                                          IndexesAttr indexes,
                                                          int64_t columns,
                                                          llvm::StringRef kind);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_RUN_REQUESTINPUT_H
