//===- CopyValues.cpp - Copying matrices, vectors and others --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CopyTable.h"
#include "nnet3/Kaldi/Examples/ComputationFile.h"
#include "nnet3/Kaldi/Examples/Posterior.h"
#include "nnet3/Kaldi/Examples/RowIndex.h"
#include "nnet3/Kaldi/IO/Input.h"
#include "nnet3/Kaldi/IO/OutputFile.h"
#include "nnet3/Kaldi/IO/Reader.h"
#include "nnet3/Kaldi/IO/Writer.h"
#include "nnet3/Kaldi/Matrix/GeneralMatrix.h"

#include <cmath>

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::Expected;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

static bool isFinite(const Matrix &matrix) {
  return llvm::all_of(matrix.data, [](float x) { return std::isfinite(x); });
}

/// `name` is the matrix's name in errors.
static llvm::Error convert(const CopyOptions &options, StringRef name,
                           GeneralMatrix &matrix) {
  bool isFull = std::holds_alternative<Matrix>(matrix) ||
                std::holds_alternative<DoubleMatrix>(matrix);
  if (options.compress && isFull) {
    Matrix full = toFull(matrix);
    if (!isFinite(full))
      return makeFileError(name, "has numbers that are not finite, which have "
                                 "no compressed form");
    matrix = CompressedMatrix(full, options.getMethod());
  }
  if (options.decompress && !isFull)
    matrix = toFull(matrix);
  return llvm::Error::success();
}

/// Other values have only one form.
template <typename T>
static llvm::Error convert(const CopyOptions &, StringRef, T &) {
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Files and tables
//===----------------------------------------------------------------------===//

/// Reads a T with `read` from the input, and writes it with `write`.
template <typename T, typename ReadFn, typename WriteFn>
static Expected<CopyCount> copyFile(const CopyOptions &options, ReadFn read,
                                    WriteFn write) {
  auto source = openInput(options.input);
  if (!source)
    return source.takeError();
  // With an offset, the file is an archive with more records.
  bool isPart = (*source)->getOffset() != 0;
  KaldiReader reader(**source);
  T value;
  if (succeeded(reader.readHeader()) && succeeded(read(reader, value)) &&
      !isPart) {
    // Data after the value is an error: the file may be of another kind and
    // would be truncated.
    reader.skipSpace();
    if (!reader.atEnd())
      (void)reader.fail("expects the end of the file after its value");
  }
  if (llvm::Error error = reader.takeError())
    return error;
  if (llvm::Error error = (*source)->close())
    return error;
  if (llvm::Error error = convert(options, options.input, value))
    return error;
  auto file = OutputFile::create(options.output);
  if (!file)
    return file.takeError();
  KaldiWriter writer((*file)->getStream(), options.binary, options.digits);
  writer.writeHeader();
  write(writer, value);
  if (llvm::Error error = (*file)->commit())
    return error;
  return CopyCount{1, 1};
}

template <typename T>
static Expected<CopyCount> convertTable(const CopyOptions &options) {
  return copyTable<T, T>(
      options,
      [&](TableWriter<T> &to, llvm::StringRef key, T &value) -> llvm::Error {
        if (llvm::Error error =
                convert(options, "matrix " + quoteForMessage(key), value))
          return error;
        return to.write(key, value);
      });
}

template <typename T, typename ReadFn, typename WriteFn>
static Expected<CopyCount> copyEither(const CopyOptions &options, ReadFn read,
                                      WriteFn write) {
  return isTableName(options.input) ? convertTable<T>(options)
                                    : copyFile<T>(options, read, write);
}

//===----------------------------------------------------------------------===//
// Kinds
//===----------------------------------------------------------------------===//

static Expected<CopyCount> copyIntVectors(const CopyOptions &options) {
  return copyEither<std::vector<int32_t>>(
      options,
      [](KaldiReader &reader, std::vector<int32_t> &value) {
        return reader.readIntVector(value);
      },
      [](KaldiWriter &writer, const std::vector<int32_t> &value) {
        writer.writeIntVector(value);
      });
}

Expected<CopyCount> mlir::nnet3::copyValues(const CopyOptions &options) {
  if (options.kind == "matrix")
    return copyEither<GeneralMatrix>(options, readGeneralMatrix,
                                     writeGeneralMatrix);
  if (options.kind == "vector")
    return copyEither<GeneralVector>(options, readGeneralVector,
                                     writeGeneralVector);
  if (options.kind == "int-vector")
    return copyIntVectors(options);
  if (options.kind == "posterior")
    return copyEither<Posterior>(options, readPosterior, writePosterior);
  if (options.kind == "request")
    return copyFile<KaldiRequest>(options, readRequest, writeRequest);
  if (options.kind == "computation")
    return copyFile<KaldiComputation>(options, readComputation,
                                      writeComputation);
  if (options.kind == "computation-cache")
    return copyFile<KaldiComputationCache>(options, readComputationCache,
                                           writeComputationCache);
  return copyFile<std::vector<RowIndex>>(options, readIndexVector,
                                         writeIndexVector);
}
