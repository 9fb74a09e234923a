//===- MatrixFile.h - Matrices in Kaldi's files -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_RUNNER_MATRIXFILE_H
#define NNET3_RUNTIME_RUNNER_MATRIXFILE_H

#include "runner/library/LibraryModel.h"

#include <string>
#include <string_view>

namespace nnet3 {
namespace rt {

/// Parses the bytes of a matrix file, text or binary float32. Error messages
/// have the byte offset.
Result<OwnedMatrix> parseMatrix(std::string_view bytes);

Result<OwnedMatrix> readMatrixFile(const std::string &path);

/// Writes text with nine digits, which represent floats exactly.
Status writeMatrixFile(const std::string &path, ConstMatrixView matrix);

/// Writes a file atomically. `-` is the standard output.
Status writeWholeFile(const std::string &path, const std::string &bytes);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_RUNNER_MATRIXFILE_H
