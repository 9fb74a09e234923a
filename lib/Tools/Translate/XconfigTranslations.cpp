//===- XconfigTranslations.cpp - Config folders from xconfigs -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ConfigSources.h"
#include "FolderWriter.h"
#include "nnet3/Compile/Context.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Kaldi/IO/OutputFile.h"
#include "nnet3/Kaldi/IO/Writer.h"
#include "nnet3/Surgery/Passes.h"
#include "nnet3/Target/Kaldi/Edits.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"
#include "nnet3/Target/Kaldi/Xconfig.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using mlir::failed;
using mlir::failure;
using mlir::FailureOr;
using mlir::LogicalResult;
using mlir::ModuleOp;
using mlir::OwningOpRef;
using mlir::success;
using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;

namespace mlir::nnet3 {

/// Prints the error of an output file.
static LogicalResult fail(llvm::Error error) {
  llvm::errs() << llvm::toString(std::move(error)) << '\n';
  return failure();
}

/// Emits the error of a file that the xconfig names at `loc`.
static LogicalResult fail(Location loc, llvm::Error error) {
  llvm::handleAllErrors(std::move(error), [&](const KaldiFileError &e) {
    emitError(loc) << e.file << ": " << e.message;
  });
  return failure();
}

/// Returns the context variables that Kaldi's training scripts read: the frames
/// around an output that the reference network needs, after the requested
/// edits.
static FailureOr<std::string> getContextVariables(NetworkOp network,
                                                  TranslationInputs &inputs) {
  constexpr llvm::StringLiteral name = "--nnet-edits";
  // Diagnostics show lines of this text.
  inputs.sourceMgr.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(inputs.nnetEdits, name),
      llvm::SMLoc());
  registerNnet3RenameNode();
  registerNnet3RemoveOutputNodes();
  registerNnet3RemoveOrphanNodes();
  registerNnet3RemoveOrphans();
  if (failed(editNodes(network, {inputs.nnetEdits, name})))
    return failure();
  auto nodes = NodeTable::get(network);
  if (failed(nodes))
    return failure();
  auto context = computeContext(network, *nodes);
  if (failed(context))
    return failure();
  return "model_left_context=" + std::to_string(context->left) +
         "\nmodel_right_context=" + std::to_string(context->right) + "\n";
}

/// Reads `config` on top of a copy of `model`'s network and returns the copy;
/// null after an error.
static OwningOpRef<ModuleOp> check(ModuleOp model,
                                   const XconfigExpansion &expansion,
                                   const ExpandedConfig &config) {
  OwningOpRef<ModuleOp> copy = model.clone();
  if (failed(readExpandedConfig(getOnlyNetwork(*copy), expansion, config)))
    return nullptr;
  return copy;
}

/// Writes all files of a config folder (spec: formats.md 10).
static LogicalResult writeFiles(const XconfigExpansion &expansion,
                                llvm::StringRef xconfig,
                                llvm::StringRef variables,
                                FolderWriter &folder) {
  auto made = [&](llvm::StringRef what) {
    return ("# Made by nnet3-translate from " + expansion.fileName + ".\n# " +
            what + "\n\n")
        .str();
  };
  std::vector<std::pair<llvm::StringRef, std::string>> texts = {
      {"ref.config", made("The network with random matrices in place of those "
                          "in files.") +
                         expansion.reference.getText().str()},
      {"final.config", made("The network.") + expansion.final.getText().str()},
      {"vars", variables.str()},
      {"xconfig", xconfig.str()},
      {"xconfig.expanded.1",
       made("The xconfig with all keys.") + expansion.withDefaults},
      {"xconfig.expanded.2",
       made("The xconfig with all keys, and inputs spelled out.") +
           expansion.withDescriptors}};
  if (!expansion.init.empty())
    texts.push_back({"init.config", made("The part of the network that an LDA "
                                         "transform is estimated from.") +
                                        expansion.init.getText().str()});
  for (const auto &[name, text] : texts)
    if (llvm::Error error = folder.write(name, llvm::Twine(text)))
      return fail(std::move(error));
  for (const XconfigMatrix &matrix : expansion.matrices)
    if (llvm::Error error =
            folder.write(matrix.path, [&](llvm::raw_ostream &os) {
              KaldiWriter(os, /*binary=*/false).writeMatrix(matrix.matrix);
            }))
      return fail(matrix.loc, std::move(error));
  if (llvm::Error error = folder.commit())
    return fail(std::move(error));
  // Remove an old file, which would look like part of this xconfig.
  if (expansion.init.empty())
    llvm::sys::fs::remove(folder.getPath("init.config"));
  return success();
}

namespace {
/// The xconfig of a translation, and the model that it extends.
struct OpenXconfig {
  llvm::StringRef text;
  OwningOpRef<ModuleOp> model;
  XconfigExpansion expansion;

  static FailureOr<OpenXconfig> create(TranslationInputs &inputs);
};
} // namespace

FailureOr<OpenXconfig> OpenXconfig::create(TranslationInputs &inputs) {
  FailureOr<llvm::StringRef> text = readText(inputs, inputs.files.front());
  OwningOpRef<ModuleOp> model = openExistingModel(inputs);
  if (failed(text) || !model)
    return failure();
  FailureOr<XconfigExpansion> expansion = expandXconfig(
      {*text, inputs.files.front()}, getOnlyNetwork(*model), &inputs.context);
  if (failed(expansion))
    return failure();
  return OpenXconfig{*text, std::move(model), std::move(*expansion)};
}

static LogicalResult xconfigToConfigs(TranslationInputs &inputs,
                                      llvm::StringRef folderName) {
  FailureOr<OpenXconfig> xconfig = OpenXconfig::create(inputs);
  if (failed(xconfig))
    return failure();
  auto &[text, model, expansion] = *xconfig;
  OwningOpRef<ModuleOp> reference =
      check(*model, expansion, expansion.reference);
  if (!reference ||
      (!expansion.init.empty() && !check(*model, expansion, expansion.init)))
    return failure();
  FailureOr<std::string> variables =
      getContextVariables(getOnlyNetwork(*reference), inputs);
  if (failed(variables))
    return failure();
  FolderWriter folder(folderName);
  if (llvm::Error error = folder.create())
    return fail(std::move(error));
  return writeFiles(expansion, text, *variables, folder);
}

static LogicalResult xconfigToConfig(TranslationInputs &inputs,
                                     llvm::raw_ostream &os) {
  FailureOr<OpenXconfig> xconfig = OpenXconfig::create(inputs);
  if (failed(xconfig) ||
      !check(*xconfig->model, xconfig->expansion, xconfig->expansion.reference))
    return failure();
  os << xconfig->expansion.final.getText();
  return success();
}

void registerXconfigTranslations(std::vector<Translation> &translations) {
  translations.push_back({"xconfig-to-config",
                          "Write the final config of an xconfig",
                          /*takesSeveral=*/false, xconfigToConfig});
  translations.push_back(
      {"xconfig-to-configs",
       "Write the config folder of an xconfig, -o, as xconfig_to_configs.py",
       /*takesSeveral=*/false, nullptr, xconfigToConfigs});
}

} // namespace mlir::nnet3
