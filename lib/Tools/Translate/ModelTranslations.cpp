//===- ModelTranslations.cpp - Translations of trained models -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Kaldi/IO/Input.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/LoadModel.h"
#include "nnet3/Target/Kaldi/ModelReader.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"
#include "nnet3/Tools/Common/AcousticModel.h"
#include "nnet3/Tools/Translate.h"

#include "llvm/Support/CommandLine.h"

using namespace ::nnet3::kaldi;

using mlir::failure;
using mlir::LogicalResult;
using mlir::ModuleOp;
using mlir::OwningOpRef;

namespace mlir::nnet3 {

static LogicalResult rawToMlir(TranslationInputs &inputs,
                               llvm::raw_ostream &os) {
  // A line of a text model may have a megabyte, and a binary model has no
  // lines, so source lines are not shown.
  LineDiagnosticHandler handler(&inputs.context, llvm::errs());
  inputs.context.printOpOnDiagnostic(false);
  auto buffer =
      readInput(findModelFile(inputs.files.front()), cannotBeginModel);
  if (!buffer)
    return emitFileError(&inputs.context, buffer.takeError());
  OwningOpRef<ModuleOp> module = readModel(**buffer, &inputs.context);
  return module ? writeModule(*module, inputs, os) : failure();
}

/// Reads a network and writes it with `write`.
static LogicalResult
mlirToModel(TranslationInputs &inputs,
            llvm::function_ref<LogicalResult(NetworkOp)> write) {
  LineDiagnosticHandler handler(&inputs.context, llvm::errs());
  inputs.context.printOpOnDiagnostic(false);
  OwningOpRef<ModuleOp> module = readModule(inputs, inputs.files.front());
  if (!module)
    return failure();
  NetworkOp network = getOnlyNetwork(*module);
  return network ? write(network) : failure();
}

/// Warns about parts of an acoustic model that a raw model cannot hold.
static void warnOfLoss(NetworkOp network) {
  if (network.getTransitionModelAttr())
    network.emitWarning("the raw model has no transition model")
        << (network.getPriorsAttr() ? " and no priors" : "")
        << ", which --mlir-to-mdl keeps";
}

void registerModelTranslations(std::vector<Translation> &translations) {
  static llvm::cl::opt<unsigned> digits(
      "digits", llvm::cl::value_desc("n"), llvm::cl::init(9),
      llvm::cl::cat(getTranslateCategory()),
      llvm::cl::desc("Significant digits of models in text: 9 reads back "
                     "exactly, Kaldi writes 7"));
  translations.push_back(
      {"raw-to-mlir",
       "Read a raw or acoustic model, text or binary, write the network",
       /*takesSeveral=*/false, rawToMlir});
  translations.push_back({"mlir-to-raw", "Write a network as a raw model",
                          /*takesSeveral=*/false,
                          [](TranslationInputs &inputs, llvm::raw_ostream &os) {
                            return mlirToModel(inputs, [&](NetworkOp network) {
                              warnOfLoss(network);
                              return writeModel(network, os, inputs.binary,
                                                digits);
                            });
                          }});
  translations.push_back(
      {"mlir-to-mdl",
       "Write a network that was read from an acoustic model as one again",
       /*takesSeveral=*/false,
       [](TranslationInputs &inputs, llvm::raw_ostream &os) {
         return mlirToModel(inputs, [&](NetworkOp network) {
           return writeMdl(network, os, inputs.binary, digits);
         });
       }});
}

} // namespace mlir::nnet3
