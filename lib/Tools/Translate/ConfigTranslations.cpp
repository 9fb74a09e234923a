//===- ConfigTranslations.cpp - Translations of configs -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ConfigSources.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/LoadModel.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"
#include "nnet3/Target/Kaldi/Xconfig.h"

#include "llvm/Support/CommandLine.h"

using mlir::failed;
using mlir::failure;
using mlir::LogicalResult;
using mlir::ModuleOp;
using mlir::OwningOpRef;
using mlir::nnet3::NetworkOp;
namespace cl = llvm::cl;

namespace mlir::nnet3 {

OwningOpRef<ModuleOp> openExistingModel(TranslationInputs &inputs) {
  if (inputs.existingModel.empty())
    return createNetworkModule(
        FileLineColLoc::get(&inputs.context, inputs.files.front(), 1, 1));
  // The source manager has no source lines of models.
  LineDiagnosticHandler handler(&inputs.context, llvm::errs());
  OwningOpRef<ModuleOp> module =
      loadModel(inputs.existingModel, &inputs.context);
  return module && getOnlyNetwork(*module) ? std::move(module) : nullptr;
}

/// Reads all given configs and xconfigs in sequence.
static OwningOpRef<ModuleOp> readConfigs(TranslationInputs &inputs) {
  OwningOpRef<ModuleOp> module = openExistingModel(inputs);
  if (!module)
    return nullptr;
  NetworkOp network = getOnlyNetwork(*module);
  bool hasLayers = false;
  for (const std::string &file : inputs.files) {
    FailureOr<llvm::StringRef> text = readText(inputs, file);
    if (failed(text))
      return nullptr;
    bool isXconfig = llvm::StringRef(file).ends_with(".xconfig") ||
                     recogniseModel(*text) == ModelFormat::Xconfig;
    hasLayers |= isXconfig;
    if (failed(isXconfig ? readXconfig(network, {*text, file})
                         : readConfig(network, *text, file)))
      return nullptr;
  }
  // For xconfigs, the expansion has warned about unused layers.
  if (!hasLayers)
    warnAboutUnused(network);
  return module;
}

static LogicalResult configToMlir(TranslationInputs &inputs,
                                  llvm::raw_ostream &os) {
  OwningOpRef<ModuleOp> module = readConfigs(inputs);
  return module ? writeModule(*module, inputs, os) : failure();
}

static LogicalResult mlirToConfig(TranslationInputs &inputs,
                                  llvm::raw_ostream &os) {
  OwningOpRef<ModuleOp> module = readModule(inputs, inputs.files.front());
  if (!module)
    return failure();
  NetworkOp network = getOnlyNetwork(*module);
  return network ? writeConfig(network, os) : failure();
}

static LogicalResult configToRaw(TranslationInputs &inputs,
                                 llvm::raw_ostream &os, uint64_t seed) {
  OwningOpRef<ModuleOp> module = readConfigs(inputs);
  if (!module)
    return failure();
  NetworkOp network = getOnlyNetwork(*module);
  if (failed(initializeParameters(network, seed)))
    return failure();
  return writeModel(network, os, inputs.binary);
}

void registerConfigTranslations(std::vector<Translation> &translations) {
  translations.push_back({"mlir-to-config",
                          "Write a network as a canonical config",
                          /*takesSeveral=*/false, mlirToConfig});
  static cl::opt<uint64_t> initSeed(
      "init-seed", cl::desc("Seed for drawing initial parameters"), cl::init(0),
      cl::cat(getTranslateCategory()));
  translations.push_back(
      {"config-to-mlir",
       "Read configs and xconfigs in sequence, write the network",
       /*takesSeveral=*/true,
       [](TranslationInputs &inputs, llvm::raw_ostream &os) -> LogicalResult {
         if (initSeed.getNumOccurrences() == 0)
           return configToMlir(inputs, os);
         llvm::errs() << "error: --init-seed expects --config-to-raw: a config "
                         "as MLIR has no parameters\n";
         return failure();
       }});
  translations.push_back(
      {"config-to-raw",
       "Read configs and xconfigs in sequence, draw parameters, write a raw "
       "model",
       /*takesSeveral=*/true,
       [](TranslationInputs &inputs, llvm::raw_ostream &os) {
         return configToRaw(inputs, os, initSeed);
       }});
}

} // namespace mlir::nnet3
