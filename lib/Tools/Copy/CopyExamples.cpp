//===- CopyExamples.cpp - Copying and converting examples -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CopyTable.h"
#include "nnet3/Kaldi/Examples/ChainExamples.h"

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
    return copyTable<AnyExample, GeneralMatrix>(
        options, [&](TableWriter<GeneralMatrix> &to, StringRef key,
                     AnyExample &example) {
          return writeIo(options, key, example, to);
        });
  return copyTable<AnyExample, AnyExample>(
      options,
      [&](TableWriter<AnyExample> &to, StringRef key, AnyExample &example) {
        convert(options, example);
        return to.write(key, example);
      });
}
