//===- ExampleTables.cpp - Reading and writing example tables -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ExampleTables.h"
#include "nnet3/Kaldi/IO/KaldiError.h"

#include "llvm/ADT/StringSet.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::Error;
using llvm::Expected;

/// Fails if two tables have the same file, which would keep only one of them.
static Error checkAreDifferent(llvm::ArrayRef<std::string> wspecifiers) {
  llvm::StringSet<> files;
  for (llvm::StringRef wspecifier : wspecifiers)
    if (llvm::StringRef file = wspecifier.split(':').second;
        file != "/dev/null" && !files.insert(file).second)
      return optionError("expects tables in different files, but got " +
                         quoteForMessage(wspecifier) + " twice");
  return Error::success();
}

Error ExampleProgramOptions::finish(llvm::ArrayRef<std::string> positional) {
  const size_t numOutputs = positional.size() - 1;
  if (numOutputs == 0 || numOutputs > mostOutputs)
    return optionError(llvm::Twine("expects a table of examples and ") +
                       (mostOutputs == 1 ? "one" : "one or more") +
                       " to write, but got " + llvm::Twine(positional.size()) +
                       " arguments; see --help");
  input = positional.front();
  outputs = positional.drop_front().vec();
  return checkAreDifferent(outputs);
}

Expected<std::vector<std::unique_ptr<ExampleWriter>>>
mlir::nnet3::openOutputs(const ExampleProgramOptions &options) {
  std::vector<std::unique_ptr<ExampleWriter>> tables;
  for (const std::string &output : options.outputs) {
    auto table = ExampleWriter::open(output, options.getTableOptions());
    if (!table)
      return table.takeError();
    tables.push_back(std::move(*table));
  }
  return tables;
}

Error mlir::nnet3::closeOutputs(
    const ExampleProgramOptions &options,
    llvm::ArrayRef<std::unique_ptr<ExampleWriter>> tables, size_t numRead,
    size_t numWritten) {
  if (numRead == 0)
    return makeFileError(options.input, "there are no examples");
  if (numWritten == 0)
    return makeFileError(options.input, "no example was written");
  for (const std::unique_ptr<ExampleWriter> &table : tables)
    if (Error error = table->close())
      return error;
  return Error::success();
}

Error mlir::nnet3::forEachExample(
    const ExampleProgramOptions &options,
    llvm::function_ref<Error(llvm::StringRef key, AnyExample &example)> take) {
  auto table = SequentialTableReader<AnyExample>::open(
      options.input, options.getTableOptions());
  if (!table)
    return table.takeError();
  while (true) {
    Expected<bool> more = (*table)->next();
    if (!more)
      return more.takeError();
    if (!*more)
      return Error::success();
    if (Error error = take((*table)->getKey(), (*table)->getValue()))
      return error;
  }
}
