//===- CopyEgsMain.cpp - Copying and distributing examples ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ExampleTables.h"
#include "SelectRows.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Tools/Examples.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>
#include <random>

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

static constexpr StringRef kName = "nnet3-copy-egs";

static const char kUsage[] =
    "Copies training examples, plain or for chain models, whole or in part.\n"
    "Usage: nnet3-copy-egs [options] EGS-RSPECIFIER EGS-WSPECIFIER "
    "[EGS-WSPECIFIER2 ...]\n"
    "\n"
    "To several tables, the examples go in turn.\n"
    "e.g.: nnet3-copy-egs --frame=random --left-context=8 --right-context=8 "
    "ark:egs.ark ark:-\n";

namespace {
struct CopyEgsOptions : ExampleProgramOptions {
  CopyEgsOptions() { mostOutputs = std::numeric_limits<size_t>::max(); }

  bool random = false;
  int32_t seed = 0;
  int32_t frameShift = 0;
  float keepProportion = 1;
  std::string frame;
  int32_t leftContext = -1, rightContext = -1;
  /// Tables; empty means none.
  std::string weights, outputNames;

  void registerOptions(OptionParser &parser) override;
  Error finish(llvm::ArrayRef<std::string> positional) override;
};

/// Copies a table.
class Copier {
public:
  explicit Copier(const CopyEgsOptions &options)
      : options(options), random(options.seed) {}

  Error run();

private:
  Error openTables();
  Error copy(StringRef key, const AnyExample &example);
  Expected<bool> change(StringRef key, AnyExample &example);
  Expected<bool> setWeight(StringRef key, AnyExample &example);
  Expected<bool> rename(StringRef key, AnyExample &example);
  Expected<bool> select(NnetExample &example, FrameRange times);
  int32_t drawCount();

  const CopyEgsOptions &options;
  std::mt19937_64 random;
  std::vector<std::unique_ptr<ExampleWriter>> tables;
  std::unique_ptr<RandomAccessTableReader<float>> weights;
  std::unique_ptr<RandomAccessTokenReader> outputNames;
  size_t numRead = 0, numWritten = 0, numFailed = 0;
  bool hasWarned = false;
};
} // namespace

void CopyEgsOptions::registerOptions(OptionParser &parser) {
  ProgramOptions::registerOptions(parser);
  parser.beginGroup("Which and where");
  parser.add("random", &random,
             "Draw the table of each example, instead of "
             "taking the next one");
  parser.add("srand", &seed, "Seed of what is drawn");
  parser.add("keep-proportion", &keepProportion,
             "How many copies are made of each example, in the mean");
  parser.beginGroup("Parts");
  parser.add("frame", &frame,
             "Keep the rows of the output for this t, or for a 'random' one; "
             "an example that lacks it is left out");
  parser.add("left-context", &leftContext,
             "Frames of input to keep before the output; -1 keeps all");
  parser.add("right-context", &rightContext,
             "Frames of input to keep after the output; -1 keeps all");
  parser.beginGroup("Changes");
  parser.add("frame-shift", &frameShift,
             "Add this to the t of all but i-vectors");
  parser.add("weights", &weights,
             "Table of numbers by which the supervision of 'output' is scaled");
  parser.add("outputs", &outputNames,
             "Table of names, one of which 'output' gets");
}

Error CopyEgsOptions::finish(llvm::ArrayRef<std::string> positional) {
  int32_t t;
  if (!frame.empty() && frame != "random" &&
      StringRef(frame).getAsInteger(10, t))
    return optionError("option '--frame' expects a number or 'random', but "
                       "got " +
                       quoteForMessage(frame));
  if (Error error = expectAtLeast("keep-proportion", 0, keepProportion))
    return error;
  if (Error error = expectAtLeast("left-context", -1, leftContext))
    return error;
  if (Error error = expectAtLeast("right-context", -1, rightContext))
    return error;
  return ExampleProgramOptions::finish(positional);
}

/// Selects rows according to the options; returns false if the frame is
/// missing.
Expected<bool> Copier::select(NnetExample &example, FrameRange times) {
  int32_t t;
  if (options.frame == "random")
    t = std::uniform_int_distribution<int32_t>(times.first, times.last)(random);
  else
    StringRef(options.frame).getAsInteger(10, t);
  if (t < times.first || t > times.last)
    return false;
  if (Error error = selectFrame(example, t))
    return error;
  return true;
}

/// Scales the supervision; returns false if there is no weight.
Expected<bool> Copier::setWeight(StringRef key, AnyExample &example) {
  Expected<const float *> weight = weights->find(key);
  if (!weight)
    return weight.takeError();
  if (!*weight) {
    printWarning(kName, "no weight for example " + key);
    return false;
  }
  if (auto *chain = std::get_if<NnetChainExample>(&example)) {
    for (ChainSupervision &output : chain->outputs)
      if (output.name == "output")
        output.weight *= **weight;
    return true;
  }
  for (NnetIo &io : std::get<NnetExample>(example).io)
    if (io.name == "output")
      scale(io.features, **weight);
  return true;
}

/// Renames the output; returns false if there is no name.
Expected<bool> Copier::rename(StringRef key, AnyExample &example) {
  Expected<const std::string *> name = outputNames->find(key);
  if (!name)
    return name.takeError();
  if (!*name) {
    printWarning(kName, "no name of an output for example " + key);
    return false;
  }
  if (auto *chain = std::get_if<NnetChainExample>(&example)) {
    for (ChainSupervision &output : chain->outputs)
      if (output.name == "output")
        output.name = **name;
    return true;
  }
  for (NnetIo &io : std::get<NnetExample>(example).io)
    if (io.name == "output")
      io.name = **name;
  return true;
}

/// Changes an example according to the options; returns false to drop it.
Expected<bool> Copier::change(StringRef key, AnyExample &example) {
  if (weights) {
    Expected<bool> has = setWeight(key, example);
    if (!has || !*has)
      return has;
  }
  if (outputNames) {
    Expected<bool> has = rename(key, example);
    if (!has || !*has)
      return has;
  }
  if (!options.frame.empty()) {
    auto *plain = std::get_if<NnetExample>(&example);
    if (!plain)
      return optionError("option '--frame' is for examples that are not for "
                         "chain models");
    Expected<FrameRange> times = getOutputTimes(example);
    if (!times)
      return times.takeError();
    Expected<bool> has = select(*plain, *times);
    if (!has || !*has)
      return has;
  }
  if (options.leftContext >= 0 || options.rightContext >= 0) {
    Expected<bool> hasAll =
        trimContext(example, options.leftContext, options.rightContext);
    if (!hasAll)
      return hasAll;
    if (!*hasAll && !hasWarned)
      printWarning(kName,
                   "example " + key + " has less context than is asked for");
    hasWarned |= !*hasAll;
  }
  return true;
}

/// Rounds the proportion up or down randomly, so that the mean is right.
int32_t Copier::drawCount() {
  const float whole = std::floor(options.keepProportion);
  return whole + (std::uniform_real_distribution<float>()(random) <
                  options.keepProportion - whole);
}

Error Copier::copy(StringRef key, const AnyExample &example) {
  for (int32_t i = drawCount(); i > 0; --i) {
    AnyExample changed = example;
    Expected<bool> keeps = change(key, changed);
    if (!keeps)
      return addNote(keeps.takeError(),
                     {"", {}, "while copying example " + quoteForMessage(key)});
    if (!*keeps) {
      ++numFailed;
      continue;
    }
    const size_t table = options.random ? std::uniform_int_distribution<size_t>(
                                              0, tables.size() - 1)(random)
                                        : numWritten % tables.size();
    if (Error error = tables[table]->write(key, changed))
      return error;
    ++numWritten;
  }
  return Error::success();
}

Error Copier::openTables() {
  auto opened = openOutputs(options);
  if (!opened)
    return opened.takeError();
  tables = std::move(*opened);
  if (!options.weights.empty()) {
    auto table = RandomAccessTableReader<float>::open(
        options.weights, options.getTableOptions());
    if (!table)
      return table.takeError();
    weights = std::move(*table);
  }
  if (!options.outputNames.empty()) {
    auto table = RandomAccessTokenReader::open(options.outputNames,
                                               options.getTableOptions());
    if (!table)
      return table.takeError();
    outputNames = std::move(*table);
  }
  return Error::success();
}

Error Copier::run() {
  if (Error error = openTables())
    return error;
  Error error =
      forEachExample(options, [&](StringRef key, AnyExample &example) -> Error {
        ++numRead;
        if (options.frameShift != 0)
          if (Error error = shiftFrames(example, options.frameShift))
            return error;
        return copy(key, example);
      });
  if (error)
    return error;
  printLog(kName, "Read " + Twine(numRead) +
                      " neural-network training "
                      "examples, wrote " +
                      Twine(numWritten) + ", left out " + Twine(numFailed));
  return closeOutputs(options, tables, numRead, numWritten);
}

int mlir::nnet3::copyEgsMain(int argc, char **argv) {
  CopyEgsOptions options;
  return runProgram(kUsage, argc, argv, options,
                    [&]() -> Error { return Copier(options).run(); });
}
