//===- JsonTranslations.cpp - Modules as JSON -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FolderWriter.h"
#include "nnet3/Target/Json/ModuleJson.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/LoadModel.h"
#include "nnet3/Tools/Translate.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Writes a model's module to a folder: module.json and tensors.bin.
static LogicalResult modelToJson(TranslationInputs &inputs,
                                 llvm::StringRef folder) {
  // A line of a model may have a megabyte, so source lines are not shown.
  LineDiagnosticHandler handler(&inputs.context, llvm::errs());
  OwningOpRef<ModuleOp> module =
      loadModel(findModelFile(inputs.files.front()), &inputs.context);
  if (!module)
    return failure();
  TensorFile tensors;
  llvm::json::Value description = describeOperation(*module, tensors);
  FolderWriter writer(folder);
  llvm::Error error = writer.create();
  if (!error)
    error = writer.write(writer.getPath("module.json"),
                         [&](llvm::raw_ostream &os) { os << description; });
  if (!error)
    error = writer.write(writer.getPath("tensors.bin"),
                         [&](llvm::raw_ostream &os) { tensors.write(os); });
  if (!error)
    error = writer.commit();
  if (!error)
    return success();
  llvm::errs() << llvm::toString(std::move(error)) << '\n';
  return failure();
}

void mlir::nnet3::registerJsonTranslations(
    std::vector<Translation> &translations) {
  translations.push_back({"model-to-json",
                          "Write the module of any model to a folder: the "
                          "operations as module.json, the tensors as "
                          "tensors.bin",
                          /*takesSeveral=*/false, nullptr, modelToJson});
}
