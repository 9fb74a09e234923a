//===- GetEgsSimpleMain.cpp - Examples of whole utterances ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Kaldi/Examples/Examples.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Tools/Common/Program.h"
#include "nnet3/Tools/Examples.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

static constexpr StringRef kName = "nnet3-get-egs-simple";

static const char kUsage[] =
    "Makes a training example of the matrices of each key, from t = 0 on.\n"
    "Usage: nnet3-get-egs-simple [options] NAME1=RSPECIFIER1 "
    "[NAME2=RSPECIFIER2 ...] EGS-WSPECIFIER\n"
    "\n"
    "The first table says which keys there are.\n"
    "e.g.: nnet3-get-egs-simple input=scp:images.scp output=ark:labels.ark "
    "ark:egs.ark\n";

namespace {
struct GetEgsSimpleOptions : ProgramOptions {
  /// Names with their tables.
  std::vector<std::pair<std::string, std::string>> inputs;
  std::string output;

  Error finish(llvm::ArrayRef<std::string> positional) override;
};
} // namespace

Error GetEgsSimpleOptions::finish(llvm::ArrayRef<std::string> positional) {
  if (positional.size() < 2)
    return optionError("expects NAME=RSPECIFIER and a table to write; see "
                       "--help");
  for (const std::string &argument : positional.drop_back()) {
    auto [name, table] = StringRef(argument).split('=');
    if (name.empty() || table.empty())
      return optionError("expects NAME=RSPECIFIER, but got " +
                         quoteForMessage(argument));
    inputs.emplace_back(name.str(), table.str());
  }
  output = positional.back();
  return Error::success();
}

static NnetIo makeIo(StringRef name, const GeneralMatrix &matrix) {
  NnetIo io;
  io.name = name.str();
  for (int64_t t = 0; t < getNumRows(matrix); ++t)
    io.indexes.push_back({0, int32_t(t), 0});
  io.features = matrix;
  return io;
}

static Error getEgs(const GetEgsSimpleOptions &options) {
  const TableOptions tableOptions = options.getTableOptions();
  auto first = SequentialTableReader<GeneralMatrix>::open(
      options.inputs.front().second, tableOptions);
  if (!first)
    return first.takeError();
  std::vector<std::unique_ptr<RandomAccessTableReader<GeneralMatrix>>> others;
  for (const auto &[name, table] :
       llvm::ArrayRef(options.inputs).drop_front()) {
    auto reader =
        RandomAccessTableReader<GeneralMatrix>::open(table, tableOptions);
    if (!reader)
      return reader.takeError();
    others.push_back(std::move(*reader));
  }
  auto to = TableWriter<NnetExample>::open(options.output, tableOptions);
  if (!to)
    return to.takeError();

  size_t numWritten = 0, numFailed = 0;
  while (true) {
    Expected<bool> more = (*first)->next();
    if (!more)
      return more.takeError();
    if (!*more)
      break;
    const std::string key = (*first)->getKey().str();
    NnetExample example;
    example.io.push_back(
        makeIo(options.inputs.front().first, (*first)->getValue()));
    for (size_t i = 0; i < others.size(); ++i) {
      Expected<const GeneralMatrix *> matrix = others[i]->find(key);
      if (!matrix)
        return matrix.takeError();
      const auto &[name, table] = options.inputs[i + 1];
      if (*matrix)
        example.io.push_back(makeIo(name, **matrix));
      else
        printWarning(kName, "no '" + name + "' for key " + key);
    }
    if (example.io.size() < options.inputs.size()) {
      ++numFailed;
      continue;
    }
    if (Error error = (*to)->write(key, example))
      return error;
    ++numWritten;
  }
  printLog(kName, "Wrote " + Twine(numWritten) + " examples, left out " +
                      Twine(numFailed));
  return numWritten > 0 ? (*to)->close()
                        : makeFileError(options.inputs.front().second,
                                        "no example was written");
}

int mlir::nnet3::getEgsSimpleMain(int argc, char **argv) {
  GetEgsSimpleOptions options;
  return runProgram(kUsage, argc, argv, options,
                    [&]() -> Error { return getEgs(options); });
}
