//===- InitMain.cpp - Models from configs ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Kaldi/Config.h"
#include "nnet3/Tools/Common/ModelFiles.h"
#include "nnet3/Tools/Common/NetworkProgram.h"
#include "nnet3/Tools/Models.h"

using namespace mlir;
using namespace mlir::nnet3;

static const char kUsage[] =
    "Makes a raw model from a config, or adds what a config has to a model.\n"
    "Usage: nnet3-init [options] [MODEL] CONFIG NEW-MODEL\n"
    "\n"
    "Components of the config replace those of the model that have their "
    "names;\n"
    "parameters that no file gives are drawn.\n"
    "e.g.: nnet3-init init.config 0.raw\n"
    "      nnet3-init 0.raw more.config 1.raw\n";

static constexpr llvm::StringLiteral kName = "nnet3-init";

namespace {
struct InitOptions : ProgramOptions {
  bool binary = true;
  uint64_t seed = 0;
  /// Empty means none.
  std::string model;
  std::string config, newModel;

  void registerOptions(OptionParser &parser) override {
    ProgramOptions::registerOptions(parser);
    parser.add("binary", &binary, "Write the model in binary");
    parser.add("srand", &seed, "Draws parameters: equal seeds, equal models");
  }

  llvm::Error finish(ArrayRef<std::string> positional) override {
    if (positional.size() != 2 && positional.size() != 3)
      return expectArguments("CONFIG and NEW-MODEL, or MODEL before them",
                             positional.size());
    if (positional.size() == 3)
      model = positional.front();
    config = positional[positional.size() - 2];
    newModel = positional.back();
    return llvm::Error::success();
  }
};
} // namespace

/// Loads the model that the config extends.
static FailureOr<ModelFile> loadFirst(const InitOptions &options,
                                      MLIRContext *context) {
  if (!options.model.empty())
    return loadModelFile(options.model, context);
  ModelFile file;
  file.module = createNetworkModule(UnknownLoc::get(context));
  file.network = *file.module->getOps<NetworkOp>().begin();
  return file;
}

static LogicalResult run(MLIRContext *context, const InitOptions &options) {
  FailureOr<ModelFile> model = loadFirst(options, context);
  if (failed(model))
    return failure();
  auto read = [&](const ConfigSource &source) -> LogicalResult {
    if (failed(readConfig(model->network, source.text, source.fileName)))
      return failure();
    return initializeParameters(model->network, options.seed);
  };
  if (failed(withText(context, options.config, read)) ||
      failed(writeRawFile(options.newModel, model->network, options.binary)))
    return failure();
  printLog(kName,
           "Initialized raw neural net and wrote it to " + options.newModel);
  return success();
}

int mlir::nnet3::initMain(int argc, char **argv) {
  InitOptions options;
  return runNetworkProgram(
      kUsage, argc, argv, options,
      [&](MLIRContext *context) { return run(context, options); });
}
