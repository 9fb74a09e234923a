//===- SubsetEgsMain.cpp - Selecting a random subset of examples ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ExampleTables.h"
#include "nnet3/Tools/Examples.h"

#include "llvm/ADT/STLExtras.h"

#include <random>

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::Error;
using llvm::StringRef;
using llvm::Twine;

static const char kUsage[] =
    "Draws some of the training examples, plain or for chain models, each with "
    "the same\nprobability.\n"
    "Usage: nnet3-subset-egs [options] EGS-RSPECIFIER EGS-WSPECIFIER\n"
    "\n"
    "e.g.: nnet3-subset-egs --n=300 ark:egs.ark ark:some.ark\n";

namespace {
struct SubsetEgsOptions : ExampleProgramOptions {
  int32_t seed = 0;
  int32_t count = 1000;
  bool randomizeOrder = true;

  void registerOptions(OptionParser &parser) override;
  Error finish(llvm::ArrayRef<std::string> positional) override;
};

struct Entry {
  /// The position in the table.
  size_t place;
  std::string key;
  AnyExample example;
};
} // namespace

void SubsetEgsOptions::registerOptions(OptionParser &parser) {
  ProgramOptions::registerOptions(parser);
  parser.beginGroup("Which");
  parser.add("n", &count, "How many; all if there are fewer");
  parser.add("srand", &seed, "Seed of what is drawn");
  parser.add("randomize-order", &randomizeOrder,
             "Write them in random order, and not in that of the table");
}

Error SubsetEgsOptions::finish(llvm::ArrayRef<std::string> positional) {
  if (Error error = expectAtLeast("n", 1, count))
    return error;
  return ExampleProgramOptions::finish(positional);
}

static Error subset(const SubsetEgsOptions &options) {
  auto tables = openOutputs(options);
  if (!tables)
    return tables.takeError();
  std::mt19937_64 random(options.seed);
  std::vector<Entry> drawn;
  size_t numRead = 0;
  // Reservoir sampling: the example at position p stays with probability n / p.
  auto take = [&](StringRef key, AnyExample &example) {
    const size_t place = numRead++;
    Entry entry{place, key.str(), std::move(example)};
    if (place < size_t(options.count)) {
      drawn.push_back(std::move(entry));
      return Error::success();
    }
    const size_t slot = std::uniform_int_distribution<size_t>(0, place)(random);
    if (slot < drawn.size())
      drawn[slot] = std::move(entry);
    return Error::success();
  };
  if (Error error = forEachExample(options, take))
    return error;
  if (options.randomizeOrder)
    std::shuffle(drawn.begin(), drawn.end(), random);
  else
    llvm::sort(drawn, [](const Entry &a, const Entry &b) {
      return a.place < b.place;
    });
  for (const Entry &entry : drawn)
    if (Error error = tables->front()->write(entry.key, entry.example))
      return error;
  printLog("nnet3-subset-egs", "Selected a subset of " + Twine(drawn.size()) +
                                   " out of " + Twine(numRead) +
                                   " neural-network training examples");
  return closeOutputs(options, *tables, numRead, drawn.size());
}

int mlir::nnet3::subsetEgsMain(int argc, char **argv) {
  SubsetEgsOptions options;
  return runProgram(kUsage, argc, argv, options,
                    [&]() -> Error { return subset(options); });
}
