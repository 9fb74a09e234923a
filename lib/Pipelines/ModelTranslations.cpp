//===- ModelTranslations.cpp - Translations of trained models -------------===//

#include "nnet3/Pipelines/Translate.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/Input.h"
#include "nnet3/Target/Kaldi/ModelReader.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"

using mlir::failure;
using mlir::LogicalResult;
using mlir::ModuleOp;
using mlir::OwningOpRef;

namespace nnet3 {

static LogicalResult rawToMlir(TranslationInputs &inputs,
                               llvm::raw_ostream &os) {
  // A line of a text model may be a megabyte, and a binary one has no lines:
  // neither is shown.
  LineDiagnosticHandler handler(&inputs.context, llvm::errs());
  inputs.context.printOpOnDiagnostic(false);
  auto buffer = readInput(inputs.files.front());
  if (!buffer)
    return emitFileError(&inputs.context, buffer.takeError());
  OwningOpRef<ModuleOp> module =
      readModel((*buffer)->getBuffer(), (*buffer)->getBufferIdentifier(),
                &inputs.context);
  return module ? writeModule(*module, inputs, os) : failure();
}

static LogicalResult mlirToRaw(TranslationInputs &inputs,
                               llvm::raw_ostream &os) {
  LineDiagnosticHandler handler(&inputs.context, llvm::errs());
  inputs.context.printOpOnDiagnostic(false);
  OwningOpRef<ModuleOp> module = readModule(inputs, inputs.files.front());
  if (!module)
    return failure();
  mlir::nnet3::NetworkOp network = getOnlyNetwork(*module);
  return network ? writeModel(network, os, inputs.binary) : failure();
}

void registerModelTranslations(std::vector<Translation> &translations) {
  translations.push_back(
      {"raw-to-mlir",
       "Read a raw or acoustic model, text or binary, write the network",
       /*takesSeveral=*/false, rawToMlir});
  translations.push_back({"mlir-to-raw", "Write a network as a raw model",
                          /*takesSeveral=*/false, mlirToRaw});
}

} // namespace nnet3
