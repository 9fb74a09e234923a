//===- AmCopyMain.cpp - Copying and changing acoustic models --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Surgery/Passes.h"
#include "nnet3/Tools/Common/ModelFiles.h"
#include "nnet3/Tools/Common/NetworkProgram.h"
#include "nnet3/Tools/ModelChanges.h"
#include "nnet3/Tools/Models.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::nnet3;

static constexpr llvm::StringLiteral kName = "nnet3-am-copy";

static const char kUsage[] =
    "Copies and changes an acoustic model, or takes the raw network out of "
    "it.\n"
    "Usage: nnet3-am-copy [options] MODEL COPY\n"
    "\n"
    "e.g.: nnet3-am-copy --binary=false final.mdl final.txt\n"
    "      nnet3-am-copy --raw=true final.mdl final.raw\n"
    "      nnet3-am-copy --set-raw-nnet=other.raw final.mdl other.mdl\n";

namespace {
struct AmCopyOptions : ProgramOptions {
  ModelChanges changes;
  bool binary = true;
  bool raw = false;
  bool convertRepeatedToBlock = false;
  std::string rawNetwork;
  std::string model, copy;

  void registerOptions(OptionParser &parser) override {
    ProgramOptions::registerOptions(parser);
    parser.add("binary", &binary, "Write the model in binary");
    parser.beginGroup("Changes");
    parser.add("raw", &raw, "Write only the network");
    parser.add("set-raw-nnet", &rawNetwork,
               "Replace the network by that of this model");
    parser.add("convert-repeated-to-block", &convertRepeatedToBlock,
               "Give each block of repeated affine components its own weights");
    changes.registerOptions(parser);
  }

  llvm::Error finish(ArrayRef<std::string> positional) override {
    if (positional.size() != 2)
      return expectArguments("MODEL and COPY", positional.size());
    model = positional[0];
    copy = positional[1];
    changes.verbose = verbose;
    return llvm::Error::success();
  }
};
} // namespace

/// Loads another network, and gives it the transition model and the priors of
/// `network`.
static FailureOr<ModelFile> replaceNetwork(NetworkOp network, StringRef path) {
  FailureOr<ModelFile> other = loadModelFile(path, network.getContext());
  if (failed(other))
    return failure();
  other->network.setTransitionModelAttr(network.getTransitionModelAttr());
  other->network.setPriorsAttr(network.getPriorsAttr());
  return other;
}

static LogicalResult change(NetworkOp network, const AmCopyOptions &options) {
  const ModelChanges &changes = options.changes;
  if (failed(changes.readNnetConfig(network)))
    return failure();
  if (options.convertRepeatedToBlock) {
    PassManager passes(network.getContext(), network.getOperationName());
    passes.addPass(createNnet3ConvertRepeatedToBlock());
    if (failed(passes.run(network)))
      return failure();
  }
  if (failed(changes.setLearningRate(network)) ||
      failed(changes.applyEdits(network)) ||
      failed(changes.applyScale(network)))
    return failure();
  if (changes.prepareForTest)
    return changes.prepare(network);
  return changes.batchnormTestMode ? changes.setBatchNormMode(network)
                                   : success();
}

static LogicalResult run(MLIRContext *context, const AmCopyOptions &options) {
  FailureOr<ModelFile> model = loadAcousticModel(options.model, context);
  if (failed(model))
    return failure();
  if (!options.rawNetwork.empty()) {
    FailureOr<ModelFile> other =
        replaceNetwork(model->network, options.rawNetwork);
    if (failed(other))
      return failure();
    model = std::move(other);
  }
  if (failed(change(model->network, options)))
    return failure();
  if (failed(options.raw
                 ? writeRawFile(options.copy, model->network, options.binary)
                 : writeAcousticFile(options.copy, model->network,
                                     options.binary)))
    return failure();
  printLog(kName,
           "Copied " +
               llvm::Twine(options.raw ? "raw neural net" : "neural net") +
               " from " + options.model + " to " + options.copy);
  return success();
}

int mlir::nnet3::amCopyMain(int argc, char **argv) {
  AmCopyOptions options;
  return runNetworkProgram(
      kUsage, argc, argv, options,
      [&](MLIRContext *context) { return run(context, options); });
}
