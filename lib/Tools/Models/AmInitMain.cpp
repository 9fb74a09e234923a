//===- AmInitMain.cpp - Acoustic models from raw ones ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Kaldi/IO/ReadObject.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/TensorData.h"
#include "nnet3/Target/Kaldi/TrainTransitions.h"
#include "nnet3/Tools/Common/ModelFiles.h"
#include "nnet3/Tools/Common/NetworkProgram.h"
#include "nnet3/Tools/Models.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;

static const char kUsage[] =
    "Makes an acoustic model of a raw one.\n"
    "Usage: nnet3-am-init [options] TREE TOPOLOGY MODEL ACOUSTIC-MODEL\n"
    "       nnet3-am-init [options] TRANSITION-MODEL MODEL ACOUSTIC-MODEL\n"
    "\n"
    "TRANSITION-MODEL may be an acoustic model.\n"
    "e.g.: nnet3-am-init tree topo 0.raw 0.mdl\n"
    "      nnet3-am-init final.mdl 0.raw 0.mdl\n";

static constexpr llvm::StringLiteral kName = "nnet3-am-init";

namespace {
struct AmInitOptions : ProgramOptions {
  bool binary = true;
  /// Empty if a transition model is given.
  std::string tree, topology;
  std::string transitionModel;
  std::string model, acousticModel;

  void registerOptions(OptionParser &parser) override {
    ProgramOptions::registerOptions(parser);
    parser.add("binary", &binary, "Write the model in binary");
  }

  llvm::Error finish(ArrayRef<std::string> positional) override {
    if (positional.size() != 3 && positional.size() != 4)
      return expectArguments("TREE and TOPOLOGY, or TRANSITION-MODEL, then "
                             "MODEL and ACOUSTIC-MODEL",
                             positional.size());
    if (positional.size() == 3) {
      transitionModel = positional[0];
    } else {
      tree = positional[0];
      topology = positional[1];
    }
    model = positional[positional.size() - 2];
    acousticModel = positional.back();
    return llvm::Error::success();
  }
};
} // namespace

static llvm::Expected<TransitionModel>
getTransitionModel(const AmInitOptions &options) {
  if (options.tree.empty())
    return readObject(options.transitionModel, readTransitionModel);
  auto tree = readObject(options.tree, readContextTree);
  if (!tree)
    return tree.takeError();
  auto topology = readObject(options.topology, readTopology);
  if (!topology)
    return topology.takeError();
  return createTransitionModel(*tree, std::move(*topology));
}

/// Returns the largest pdf plus one.
static int32_t countPdfs(const TransitionModel &model) {
  int32_t count = 0;
  for (const auto &[phone, state, forward, selfLoop] : model.tuples)
    count = std::max({count, forward + 1, selfLoop + 1});
  return count;
}

static LogicalResult run(MLIRContext *context, const AmInitOptions &options) {
  auto transitions = getTransitionModel(options);
  if (!transitions)
    return emitFileError(context, transitions.takeError());
  FailureOr<ModelFile> model = loadModelFile(options.model, context);
  if (failed(model))
    return failure();
  NetworkOp network = model->network;
  FailureOr<int64_t> dim = getOutputDim(network);
  if (failed(dim))
    return failure();
  if (const int32_t count = countPdfs(*transitions); count != *dim)
    printWarning(kName, "the transition model has " + llvm::Twine(count) +
                            " pdfs, but the network has " + llvm::Twine(*dim) +
                            " outputs");
  network.removePriorsAttr();
  network.setTransitionModelAttr(makeByteData(
      context, packTransitionModel(*transitions), "transition_model"));
  if (failed(writeAcousticFile(options.acousticModel, network, options.binary)))
    return failure();
  printLog(kName, "Initialized neural net from " + options.model +
                      " and wrote it to " + options.acousticModel);
  return success();
}

int mlir::nnet3::amInitMain(int argc, char **argv) {
  AmInitOptions options;
  return runNetworkProgram(
      kUsage, argc, argv, options,
      [&](MLIRContext *context) { return run(context, options); });
}
