//===- ShuffleEgsMain.cpp - Shuffling examples ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ExampleTables.h"
#include "nnet3/Tools/Examples.h"

#include <algorithm>
#include <random>

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::Error;
using llvm::StringRef;
using llvm::Twine;

static const char kUsage[] =
    "Writes training examples, plain or for chain models, in random order.\n"
    "Usage: nnet3-shuffle-egs [options] EGS-RSPECIFIER EGS-WSPECIFIER\n"
    "\n"
    "e.g.: nnet3-shuffle-egs --srand=1 ark:egs.ark ark:shuffled.ark\n";

namespace {
struct ShuffleEgsOptions : ExampleProgramOptions {
  int32_t seed = 0;
  /// 0 means all examples.
  int32_t bufferSize = 0;

  void registerOptions(OptionParser &parser) override;
  Error finish(llvm::ArrayRef<std::string> positional) override;
};
} // namespace

void ShuffleEgsOptions::registerOptions(OptionParser &parser) {
  ProgramOptions::registerOptions(parser);
  parser.beginGroup("Order");
  parser.add("srand", &seed, "Seed of the order");
  parser.add("buffer-size", &bufferSize,
             "Hold this many examples, of which a random one makes room for "
             "the next; 0 holds all");
}

Error ShuffleEgsOptions::finish(llvm::ArrayRef<std::string> positional) {
  if (Error error = expectAtLeast("buffer-size", 0, bufferSize))
    return error;
  return ExampleProgramOptions::finish(positional);
}

static Error shuffle(const ShuffleEgsOptions &options) {
  auto tables = openOutputs(options);
  if (!tables)
    return tables.takeError();
  std::mt19937 random(options.seed);
  std::vector<std::pair<std::string, AnyExample>> held;
  size_t numRead = 0;
  auto take = [&](StringRef key, AnyExample &example) -> Error {
    ++numRead;
    std::pair<std::string, AnyExample> entry(key.str(), std::move(example));
    if (options.bufferSize == 0 || held.size() < size_t(options.bufferSize)) {
      held.push_back(std::move(entry));
      return Error::success();
    }
    std::uniform_int_distribution<size_t> slots(0, held.size() - 1);
    std::swap(entry, held[slots(random)]);
    return tables->front()->write(entry.first, entry.second);
  };
  if (Error error = forEachExample(options, take))
    return error;
  std::shuffle(held.begin(), held.end(), random);
  for (const auto &[key, example] : held)
    if (Error error = tables->front()->write(key, example))
      return error;
  printLog("nnet3-shuffle-egs", "Shuffled order of " + Twine(numRead) +
                                    " neural-network training examples");
  return closeOutputs(options, *tables, numRead, numRead);
}

int mlir::nnet3::shuffleEgsMain(int argc, char **argv) {
  ShuffleEgsOptions options;
  return runProgram(kUsage, argc, argv, options,
                    [&]() -> Error { return shuffle(options); });
}
