//===- RequestInput.cpp - Requests and their matrices from files ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RequestInput.h"
#include "nnet3/Kaldi/IO/Input.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/RequestReader.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;

FailureOr<RequestOp> mlir::nnet3::readOnlyRequest(StringRef file,
                                                  NetworkOp network) {
  auto requests = readRequestFile(file, network);
  if (failed(requests))
    return failure();
  if (requests->size() > 1)
    return emitError((*requests)[1].getLoc())
           << "expects one request, but the file has " << requests->size();
  return requests->front();
}

FailureOr<Matrix> mlir::nnet3::readRequestMatrix(const NamedFile &file,
                                                 IndexesAttr indexes,
                                                 int64_t columns,
                                                 StringRef kind) {
  MLIRContext *context = indexes.getContext();
  auto matrix = readMatrixFile(file.file);
  if (!matrix)
    return emitFileError(context, matrix.takeError());
  if (matrix->rows != indexes.size() || matrix->cols != columns)
    return emitError(FileLineColLoc::get(context, file.file, 1, 1))
           << "expects a " << indexes.size() << " x " << columns
           << " matrix for " << kind << " '" << file.name << "', but got "
           << matrix->rows << " x " << matrix->cols;
  return std::move(*matrix);
}
