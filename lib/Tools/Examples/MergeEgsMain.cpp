//===- MergeEgsMain.cpp - Merging examples into minibatches ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ExampleTables.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Tools/Common/ExampleMerger.h"
#include "nnet3/Tools/Examples.h"

#include "llvm/ADT/STLExtras.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::Error;
using llvm::StringRef;
using llvm::Twine;

static constexpr StringRef kName = "nnet3-merge-egs";

static const char kUsage[] =
    "Merges training examples, plain or for chain models, into minibatches of "
    "examples\nthat have the same structure.\n"
    "Usage: nnet3-merge-egs [options] EGS-RSPECIFIER EGS-WSPECIFIER\n"
    "\n"
    "e.g.: nnet3-merge-egs --minibatch-size=128,64 ark:egs.ark ark:-\n";

namespace {
struct MergeEgsOptions : ExampleProgramOptions {
  std::string minibatchSize = "256";
  bool compress = false;
  bool multilingual = false;

  void registerOptions(OptionParser &parser) override;
};
} // namespace

void MergeEgsOptions::registerOptions(OptionParser &parser) {
  ProgramOptions::registerOptions(parser);
  parser.beginGroup("Minibatches");
  parser.add("minibatch-size", &minibatchSize,
             "Sizes and ranges, e.g. 64 or 16:32,64, or such a list for each "
             "size of example, e.g. 80=128/160=64");
  parser.add("compress", &compress, "Compress matrices that are full");
  parser.add("multilingual-eg", &multilingual,
             "Write the language of chain examples into the keys: what follows "
             "'-' in the name of the first output");
  parser.beginGroup("Compatibility");
  parser.addIgnoredString("measure-output-frames", "Accepted, without effect");
  parser.addIgnoredString("discard-partial-minibatches",
                          "Accepted, without effect");
}

/// Returns the key of a minibatch with its language.
static std::string addLanguage(StringRef key, const AnyExample &example) {
  const auto *chain = std::get_if<NnetChainExample>(&example);
  if (!chain || chain->outputs.empty())
    return key.str();
  const StringRef language =
      StringRef(chain->outputs.front().name).split('-').second;
  return (key + "?lang=" + language).str();
}

/// Prints how many examples were merged and left out.
static void printCounts(const ExampleMerger &merger) {
  double numExamples = 0, numLeftOut = 0, numMinibatches = 0, sumOfSizes = 0;
  size_t numKinds = 0;
  std::string text;
  for (const auto &[exampleSize, counts] : merger.getCounts()) {
    text += (text.empty() ? "" : ",") + std::to_string(exampleSize) + "={";
    for (auto [size, count] : counts.minibatches) {
      text += std::to_string(size) + "->" + std::to_string(count) + ",";
      numMinibatches += count;
      ++numKinds;
    }
    text += "d=" + std::to_string(counts.leftOut) + "}";
    const double here = counts.getNumMerged() + counts.leftOut;
    numExamples += here;
    numLeftOut += counts.leftOut;
    sumOfSizes += here * exampleSize;
  }
  if (numExamples == 0)
    return;
  printLog(kName,
           "Processed " + showNumber(numExamples) + " egs of avg. size " +
               showNumber(sumOfSizes / numExamples, 4) + " into " +
               showNumber(numMinibatches) + " minibatches, discarding " +
               showNumber(100 * numLeftOut / numExamples, 4) +
               "% of egs.  Avg minibatch size was " +
               showNumber(numMinibatches == 0
                              ? 0
                              : (numExamples - numLeftOut) / numMinibatches,
                          4) +
               ", #distinct types of egs/minibatches was " +
               Twine(merger.getNumStructures()) + "/" + Twine(numKinds));
  printLog(kName, "Merged specific eg types as follows [format: "
                  "<eg-size1>={<mb-size1>-><num-minibatches1>,<mb-size2>-><num-"
                  "minibatches2>.../d=<num-discarded>},...]: " +
                      text);
}

static Error merge(const MergeEgsOptions &options) {
  auto sizes = MinibatchSizes::parse(options.minibatchSize);
  if (!sizes)
    return sizes.takeError();
  auto tables = openOutputs(options);
  if (!tables)
    return tables.takeError();
  size_t numRead = 0, numWritten = 0;
  ExampleMerger merger(
      std::move(*sizes), [&](StringRef key, AnyExample &minibatch) {
        if (options.compress)
          llvm::for_each(getMatrices(minibatch), compressIo);
        ++numWritten;
        return tables->front()->write(
            options.multilingual ? addLanguage(key, minibatch) : key.str(),
            minibatch);
      });
  Error error = forEachExample(options, [&](StringRef, AnyExample &example) {
    ++numRead;
    return merger.accept(std::move(example));
  });
  if (error)
    return error;
  if (Error error = merger.finish())
    return error;
  printCounts(merger);
  return closeOutputs(options, *tables, numRead, numWritten);
}

int mlir::nnet3::mergeEgsMain(int argc, char **argv) {
  MergeEgsOptions options;
  return runProgram(kUsage, argc, argv, options,
                    [&]() -> Error { return merge(options); });
}
