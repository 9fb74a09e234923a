//===- RequestInput.h - Requests and their matrices from files --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_LIB_PIPELINES_REQUESTINPUT_H
#define NNET3_LIB_PIPELINES_REQUESTINPUT_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"
#include "nnet3/Pipelines/RunOptions.h"
#include "nnet3/Target/Kaldi/Matrix.h"

namespace nnet3 {

/// Reads the one request in `file`, and puts it behind the network. Emits an
/// error if there are more.
llvm::FailureOr<mlir::nnet3::RequestOp>
readOnlyRequest(llvm::StringRef file, mlir::nnet3::NetworkOp network);

/// Reads the matrix of `file`, which is to have a row for each of `indexes` and
/// `columns` columns. Emits an error, which calls it `kind`, where it has not.
llvm::FailureOr<Matrix> readRequestMatrix(const NamedFile &file,
                                          mlir::nnet3::IndexesAttr indexes,
                                          int64_t columns,
                                          llvm::StringRef kind);

} // namespace nnet3

#endif // NNET3_LIB_PIPELINES_REQUESTINPUT_H
