//===- CopyExamples.cpp - Copying and converting examples -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CopyOptions.h"
#include "nnet3/Kaldi/Examples/ChainExamples.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Kaldi/Tables/TableSpecifier.h"

#include "llvm/ADT/STLExtras.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// Compresses or decompresses the matrices of an example.
static void convert(const CopyOptions &options, AnyExample &example) {
  for (NnetIo &io : getMatrices(example)) {
    if (options.compress)
      compressIo(io);
    if (options.decompress &&
        std::holds_alternative<CompressedMatrix>(io.features))
      io.features = toFull(io.features);
  }
}

/// Writes each example to a table of T with `write`.
template <typename T>
static Expected<CopyCount>
copyTable(const CopyOptions &options,
          llvm::function_ref<Error(TableWriter<T> &, StringRef, AnyExample &)>
              write) {
  if (Error error = checkIsNotRead(options.output, options.input))
    return error;
  auto from = SequentialTableReader<AnyExample>::open(
      options.input, options.getTableOptions());
  if (!from)
    return from.takeError();
  auto to = TableWriter<T>::open(options.output, options.getTableOptions());
  if (!to)
    return to.takeError();
  CopyCount count;
  while (true) {
    Expected<bool> more = (*from)->next();
    if (!more)
      return more.takeError();
    if (!*more)
      break;
    ++count.read;
    if (Error error = write(**to, (*from)->getKey(), (*from)->getValue()))
      return error;
    ++count.written;
  }
  if (count.written == 0)
    return makeFileError(options.input, "no record was copied");
  if (Error error = (*to)->close())
    return error;
  return count;
}

/// Writes the matrix of one input or output.
static Error writeIo(const CopyOptions &options, StringRef key,
                     AnyExample &example, TableWriter<GeneralMatrix> &to) {
  std::vector<NnetIo> &list = getMatrices(example);
  auto io = llvm::find_if(list, [&](const NnetIo &candidate) {
    return candidate.name == options.io;
  });
  if (io == list.end())
    return optionError("example " + quoteForMessage(key) + " has no '" +
                       options.io + "'");
  if (options.decompress)
    return to.write(key, toFull(io->features));
  return to.write(key, io->features);
}

Expected<CopyCount> mlir::nnet3::copyExamples(const CopyOptions &options) {
  if (!options.io.empty())
    return copyTable<GeneralMatrix>(options,
                                    [&](TableWriter<GeneralMatrix> &to,
                                        StringRef key, AnyExample &example) {
                                      return writeIo(options, key, example, to);
                                    });
  return copyTable<AnyExample>(
      options,
      [&](TableWriter<AnyExample> &to, StringRef key, AnyExample &example) {
        convert(options, example);
        return to.write(key, example);
      });
}
