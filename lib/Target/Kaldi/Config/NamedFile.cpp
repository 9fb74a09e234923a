//===- NamedFile.cpp - Files named in configs -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NamedFile.h"

#include "nnet3/Kaldi/IO/Reader.h"
#include "nnet3/Target/Kaldi/Config.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace ::nnet3::kaldi;

using mlir::failed;
using mlir::failure;
using mlir::FailureOr;
using mlir::FileLineColLoc;
using mlir::Location;
using mlir::LogicalResult;
using mlir::succeeded;

namespace mlir::nnet3 {

/// Returns `file` if it exists, or else its path relative to the directory of
/// the file in `loc`.
static std::string findNamedFile(llvm::StringRef file, Location loc) {
  namespace path = llvm::sys::path;
  if (llvm::sys::fs::exists(file) || path::is_absolute(file))
    return file.str();
  auto fileLoc = loc->findInstanceOf<FileLineColLoc>();
  if (!fileLoc)
    return file.str();
  llvm::SmallString<128> beside(
      path::parent_path(fileLoc.getFilename().getValue()));
  path::append(beside, file);
  return llvm::sys::fs::exists(beside) ? beside.str().str() : file.str();
}

/// Returns true if the file holds a vector. In text, a vector is one line that
/// ends with a bracket.
static bool holdsVector(llvm::StringRef contents) {
  if (contents.consume_front(llvm::StringRef("\0B", 2)))
    return contents.starts_with("FV ") || contents.starts_with("DV ");
  return contents.ltrim()
      .take_until([](char c) { return c == '\n'; })
      .contains(']');
}

/// Emits the error of a file, with a note at its position in the file.
static LogicalResult emitFileError(llvm::StringRef file, Location loc,
                                   llvm::Error error) {
  InFlightDiagnostic diag = emitError(loc) << "cannot read '" << file << "'";
  llvm::handleAllErrors(
      std::move(error),
      [&](const KaldiError &e) {
        diag.attachNote(FileLineColLoc::get(loc.getContext(), e.file,
                                            e.location.line, e.location.column))
            << e.message << ", at byte " << e.location.byte;
      },
      [&](const llvm::ErrorInfoBase &e) { diag << ": " << e.message(); });
  return diag;
}

FailureOr<Matrix> readNamedMatrix(llvm::StringRef file, Location loc) {
  std::string path = findNamedFile(file, loc);
  // A device or pipe may be endless.
  llvm::sys::fs::file_status status;
  if (std::error_code error = llvm::sys::fs::status(path, status))
    return emitError(loc) << "cannot open '" << file
                          << "': " << error.message();
  if (!llvm::sys::fs::is_regular_file(status))
    return emitError(loc) << "cannot read '" << file << "': not a plain file";
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return emitError(loc) << "cannot open '" << file
                          << "': " << buffer.getError().message();
  llvm::StringRef contents = (*buffer)->getBuffer();
  KaldiReader reader(contents, path);
  Matrix matrix;
  if (succeeded(reader.readHeader())) {
    if (holdsVector(contents)) {
      if (succeeded(reader.readVector(matrix.data))) {
        matrix.rows = matrix.data.empty() ? 0 : 1;
        matrix.cols = matrix.data.size();
      }
    } else {
      (void)reader.readMatrix(matrix);
    }
  }
  if (llvm::Error error = reader.takeError()) {
    (void)emitFileError(file, loc, std::move(error));
    return failure();
  }
  if (matrix.data.empty())
    return emitError(loc) << "'" << file << "' is empty";
  return matrix;
}

FailureOr<std::vector<float>>
ConfigParameterInitializer::readMatrix(Operation *op, llvm::StringRef file,
                                       int64_t &rows, int64_t &cols) {
  FailureOr<Matrix> matrix = readNamedMatrix(file, op->getLoc());
  if (failed(matrix))
    return failure();
  rows = matrix->rows;
  cols = matrix->cols;
  return std::move(matrix->data);
}

} // namespace mlir::nnet3
