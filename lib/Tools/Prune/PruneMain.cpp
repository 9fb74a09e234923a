//===- PruneMain.cpp - Pruning models with measured moments ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Surgery/Passes.h"
#include "nnet3/Surgery/Pruning.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/ModelInfo.h"
#include "nnet3/Tools/Common/Comparison.h"
#include "nnet3/Tools/Common/ModelFiles.h"
#include "nnet3/Tools/Common/MomentSums.h"
#include "nnet3/Tools/Common/NetworkProgram.h"
#include "nnet3/Tools/Prune.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;
using llvm::Error;

static constexpr StringRef kName = "nnet3-prune";

static const char kUsage[] =
    "Removes what contributes least to a model: columns of the bottlenecks of "
    "TDNN-F layers,\nand cells of LSTMs. Features show what contributes.\n"
    "Usage: nnet3-prune [options] MODEL FEATURES-RSPECIFIER NEW-MODEL\n"
    "\n"
    "e.g.: nnet3-prune --keep=0.7 final.raw scp:feats.scp small.raw\n";

namespace {
struct PruneOptions : NetworkProgramOptions, UtteranceOptions {
  std::string model, features, newModel;
  float keep = 0.7f;
  int32_t multiple = 8;
  std::string nodes = "*";
  bool bottlenecks = true, cells = true;
  /// Tables; empty means none.
  std::string moments, evaluation;
  bool binary = true;

  void registerOptions(OptionParser &parser) override;
  Error finish(ArrayRef<std::string> positional) override;
};
} // namespace

void PruneOptions::registerOptions(OptionParser &parser) {
  ProgramOptions::registerOptions(parser);
  parser.add("binary", &binary, "Write the model in binary");
  parser.beginGroup("Pruning");
  parser.add("keep", &keep, "The part that is kept of each node");
  parser.add("multiple", &multiple,
             "Keep a multiple of so many columns or cells, which fill the "
             "vectors of machine code");
  parser.add("name", &nodes,
             "Names of the nodes to prune; * stands for any text");
  parser.add("bottlenecks", &bottlenecks, "Prune bottlenecks");
  parser.add("cells", &cells, "Prune cells of LSTMs");
  parser.add("moments", &moments,
             "Write what the features show to this table, for the passes "
             "nnet3-prune-bottlenecks and nnet3-prune-cells");
  parser.add("evaluate", &evaluation,
             "Compare the outputs on this table of features; by default on "
             "that which shows what contributes");
  parser.beginGroup("Features");
  registerInputOptions(parser);
  registerRunnerOptions(parser);
}

Error PruneOptions::finish(ArrayRef<std::string> positional) {
  if (Error error = finishRunnerOptions())
    return error;
  if (Error error = finishUtteranceOptions())
    return error;
  if (!(keep > 0 && keep <= 1))
    return optionError("option '--keep' expects a number above 0 and up to 1, "
                       "but got " +
                       showNumber(keep));
  if (Error error = expectAtLeast("multiple", 1, multiple))
    return error;
  if (positional.size() != 3)
    return expectArguments("MODEL, FEATURES and NEW-MODEL", positional.size());
  model = positional[0];
  features = positional[1];
  newModel = positional[2];
  if (evaluation.empty())
    evaluation = features;
  return Error::success();
}

namespace {
class Pruner {
public:
  Pruner(MLIRContext *context, const PruneOptions &options)
      : context(context), options(options) {}

  LogicalResult run();

private:
  LogicalResult measure(NetworkOp network, ArrayRef<Value> nodes,
                        StringRef moments);
  LogicalResult prune(NetworkOp network, StringRef moments, bool hasBottlenecks,
                      bool hasCells);
  LogicalResult write(NetworkOp network);
  LogicalResult compare(NetworkOp before, NetworkOp after);

  MLIRContext *context;
  const PruneOptions &options;
};
} // namespace

/// Measures the moments of all nodes to prune, and writes them to table
/// `moments`.
LogicalResult Pruner::measure(NetworkOp network, ArrayRef<Value> nodes,
                              StringRef moments) {
  auto rows = llvm::map_to_vector(
      nodes, [](Value node) -> MomentRows { return {node}; });
  auto sums =
      MomentSums::create(network, rows, options.model, options.runner, options);
  if (failed(sums) ||
      failed(forEachUtterance(
          context, kName, options.features, options, options.getTableOptions(),
          [&](const Utterance &utterance) { return (*sums)->add(utterance); })))
    return failure();
  return emitFileError(context,
                       (*sums)->write(moments, options.getTableOptions()));
}

LogicalResult Pruner::prune(NetworkOp network, StringRef moments,
                            bool hasBottlenecks, bool hasCells) {
  PassManager passes(context, network.getOperationName());
  auto configure = [&](auto pass) {
    pass.pattern = options.nodes;
    pass.keep = options.keep;
    pass.multiple = options.multiple;
    pass.moments = moments.str();
    return pass;
  };
  if (hasBottlenecks)
    passes.addPass(
        createNnet3PruneBottlenecks(configure(Nnet3PruneBottlenecksOptions())));
  if (hasCells)
    passes.addPass(createNnet3PruneCells(configure(Nnet3PruneCellsOptions())));
  return passes.run(network);
}

LogicalResult Pruner::write(NetworkOp network) {
  const bool isAcoustic = bool(network.getTransitionModelAttr());
  return (isAcoustic ? writeAcousticFile : writeRawFile)(
      options.newModel, network, options.binary, 9);
}

static void printCost(StringRef what, int64_t before, int64_t after) {
  printLog(kName, what + ": " + llvm::Twine(before) + " -> " +
                      llvm::Twine(after) + ", " +
                      showNumber(100.0 * double(after) / double(before), 3) +
                      "%");
}

/// Prints the differences of the outputs of two models.
LogicalResult Pruner::compare(NetworkOp before, NetworkOp after) {
  auto first =
      NetworkComputer::create(before, options.model, options.runner, options);
  auto second =
      NetworkComputer::create(after, options.newModel, options.runner, options);
  if (failed(first) || failed(second))
    return failure();
  Comparison comparison;
  auto add = [&](const Utterance &utterance) -> LogicalResult {
    auto a = first->utterances->compute(utterance);
    auto b = second->utterances->compute(utterance);
    if (failed(a) || failed(b))
      return failure();
    comparison.add(getView(*a), getView(*b));
    return success();
  };
  if (failed(forEachUtterance(context, kName, options.evaluation, options,
                              options.getTableOptions(), add)))
    return failure();
  comparison.print(llvm::errs(), "output", "pruned against whole");
  return success();
}

/// Creates a temporary table for the moments if none was requested.
static llvm::Expected<std::string> createTemporaryTable() {
  llvm::SmallString<128> path;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("moments", "ark", path))
    return makeFileError("",
                         "cannot create a temporary file: " + error.message());
  return path.str().str();
}

LogicalResult Pruner::run() {
  auto model = loadModelFile(options.model, context);
  if (failed(model))
    return failure();
  NetworkOp network = model->network;
  OwningOpRef<ModuleOp> copy(model->module->clone());
  NetworkOp original = *copy->getOps<NetworkOp>().begin();
  SmallVector<Value> bottlenecks, cells;
  std::vector<std::string> reasons;
  if (options.bottlenecks)
    bottlenecks = findBottlenecks(network, options.nodes);
  if (options.cells)
    cells = findCellOutputs(network, options.nodes, [&](StringRef reason) {
      reasons.push_back(reason.str());
    });
  SmallVector<Value> nodes = bottlenecks;
  nodes.append(cells);
  if (nodes.empty()) {
    for (const std::string &reason : reasons)
      printWarning(kName, reason);
    return network.emitError("the network has no node that matches '")
           << options.nodes << "' and can be pruned";
  }
  std::string moments = options.moments;
  std::optional<llvm::FileRemover> remover;
  if (moments.empty()) {
    auto path = createTemporaryTable();
    if (!path)
      return emitFileError(context, path.takeError());
    remover.emplace(*path);
    moments = "ark:" + *path;
  }
  if (failed(measure(network, nodes, moments)) ||
      failed(prune(network, moments, !bottlenecks.empty(), !cells.empty())) ||
      failed(write(network)))
    return failure();
  printCost("parameters", countParameters(original), countParameters(network));
  printCost("multiply-adds per row", countMultiplyAdds(original),
            countMultiplyAdds(network));
  return compare(original, network);
}

int mlir::nnet3::pruneMain(int argc, char **argv) {
  PruneOptions options;
  return runNetworkProgram(
      kUsage, argc, argv, options,
      [&](MLIRContext *context) { return Pruner(context, options).run(); });
}
