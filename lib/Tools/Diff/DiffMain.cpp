//===- DiffMain.cpp - Comparing two models --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DiffReport.h"
#include "nnet3/Kaldi/IO/OutputFile.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Tools/Common/ModelFiles.h"
#include "nnet3/Tools/Common/NetworkComputer.h"
#include "nnet3/Tools/Common/NetworkProgram.h"
#include "nnet3/Tools/Diff.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;
using llvm::Error;

static constexpr StringRef kName = "nnet3-diff";

static const char kUsage[] =
    "Prints how two models differ: in nodes, components and parameters, and "
    "with features\nalso in their outputs.\n"
    "Usage: nnet3-diff [options] MODEL OTHER-MODEL [FEATURES-RSPECIFIER]\n"
    "\n"
    "e.g.: nnet3-diff --html=changes.html 1.raw 2.raw scp:feats.scp\n";

namespace {
struct DiffOptions : NetworkProgramOptions, UtteranceOptions {
  std::string before, after;
  /// Empty means none.
  std::string features, page;
  int32_t maxLines = 20;

  void registerOptions(OptionParser &parser) override;
  Error finish(ArrayRef<std::string> positional) override;
};
} // namespace

void DiffOptions::registerOptions(OptionParser &parser) {
  ProgramOptions::registerOptions(parser);
  parser.add("html", &page, "Write a page for the browser to this file, too");
  parser.add("max-lines", &maxLines,
             "How many tensors and utterances to print; -1 for all");
  parser.beginGroup("Outputs");
  registerInputOptions(parser);
  registerRunnerOptions(parser);
}

Error DiffOptions::finish(ArrayRef<std::string> positional) {
  if (Error error = finishRunnerOptions())
    return error;
  if (Error error = finishUtteranceOptions())
    return error;
  if (Error error = expectAtLeast("max-lines", -1, maxLines))
    return error;
  if (positional.size() != 2 && positional.size() != 3)
    return expectArguments("two models, and at most one table of features",
                           positional.size());
  before = positional[0];
  after = positional[1];
  if (positional.size() == 3)
    features = positional[2];
  return Error::success();
}

/// Compares the outputs of all utterances.
static FailureOr<OutputDifference>
compareOutputs(NetworkOp before, NetworkOp after, const DiffOptions &options) {
  MLIRContext *context = before.getContext();
  auto first =
      NetworkComputer::create(before, options.before, options.runner, options);
  if (failed(first))
    return failure();
  auto second =
      NetworkComputer::create(after, options.after, options.runner, options);
  if (failed(second))
    return failure();
  const int64_t dims[] = {first->runner->getDim("output"),
                          second->runner->getDim("output")};
  if (dims[0] != dims[1])
    return emitError(UnknownLoc::get(context))
           << "outputs of " << dims[0] << " and " << dims[1]
           << " columns cannot be compared";
  OutputDifference result;
  auto add = [&](const Utterance &utterance) -> LogicalResult {
    auto a = first->utterances->compute(utterance);
    if (failed(a))
      return failure();
    auto b = second->utterances->compute(utterance);
    if (failed(b))
      return failure();
    result.add(utterance.key, *a, *b);
    return success();
  };
  if (failed(forEachUtterance(context, kName, options.features, options,
                              options.getTableOptions(), add)))
    return failure();
  return result;
}

static Error writePage(const DiffReport &report, StringRef path) {
  auto file = OutputFile::create(path);
  if (!file)
    return file.takeError();
  writeDiffPage(report, (*file)->getStream());
  return (*file)->commit();
}

static LogicalResult diff(MLIRContext *context, const DiffOptions &options) {
  auto before = loadModelFile(options.before, context);
  auto after = loadModelFile(options.after, context);
  if (failed(before) || failed(after))
    return failure();
  DiffReport report;
  report.before = options.before;
  report.after = options.after;
  auto network = compareNetworks(before->network, after->network);
  if (failed(network))
    return failure();
  report.network = std::move(*network);
  if (!options.features.empty()) {
    auto output = compareOutputs(before->network, after->network, options);
    if (failed(output))
      return failure();
    report.output = std::move(*output);
  }
  printDiff(report, options.maxLines, llvm::outs());
  return options.page.empty()
             ? success()
             : emitFileError(context, writePage(report, options.page));
}

int mlir::nnet3::diffMain(int argc, char **argv) {
  DiffOptions options;
  return runNetworkProgram(
      kUsage, argc, argv, options,
      [&](MLIRContext *context) { return diff(context, options); });
}
