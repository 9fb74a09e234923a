//===- OnnxTranslations.cpp - Translations from ONNX ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Kaldi/IO/Input.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"
#include "nnet3/Target/Onnx/OnnxImport.h"
#include "nnet3/Tools/Translate.h"

#include "llvm/Support/CommandLine.h"

namespace cl = llvm::cl;

namespace mlir::nnet3 {

/// Returns true if no protobuf message begins with these bytes: its first field
/// must have a number, and be an integer or have a length.
static bool cannotBeginMessage(llvm::StringRef beginning) {
  if (beginning.empty())
    return true;
  const unsigned char tag = beginning.front();
  return (tag & 7) > 2 || (tag & 7) == 1 || tag >> 3 == 0;
}

/// Splits `NAME=AXES`.
static FailureOr<OnnxLayouts>
parseLayouts(MLIRContext &context, llvm::ArrayRef<std::string> options) {
  OnnxLayouts layouts;
  for (const std::string &option : options) {
    auto [name, axes] = llvm::StringRef(option).rsplit('=');
    if (name.empty() || axes.empty())
      return emitError(UnknownLoc::get(&context))
             << "--onnx-layout expects NAME=AXES, but got '" << option << "'";
    layouts[name] = axes.str();
  }
  return layouts;
}

/// Reads a model, and writes its network with `write`.
static LogicalResult
translate(TranslationInputs &inputs, llvm::ArrayRef<std::string> options,
          llvm::function_ref<LogicalResult(ModuleOp)> write) {
  LineDiagnosticHandler handler(&inputs.context, llvm::errs());
  inputs.context.printOpOnDiagnostic(false);
  FailureOr<OnnxLayouts> layouts = parseLayouts(inputs.context, options);
  if (failed(layouts))
    return failure();
  const std::string &file = inputs.files.front();
  auto buffer = ::nnet3::kaldi::readInput(file, cannotBeginMessage);
  if (!buffer)
    return emitFileError(&inputs.context, buffer.takeError());
  OwningOpRef<ModuleOp> module =
      readOnnx((*buffer)->getBuffer(), file, *layouts, &inputs.context);
  return module ? write(*module) : failure();
}

void registerOnnxTranslations(std::vector<Translation> &translations) {
  static cl::list<std::string> layouts(
      "onnx-layout", cl::value_desc("name=axes"),
      cl::cat(getTranslateCategory()),
      cl::desc("The axes of an input of --onnx-to-mlir and --onnx-to-raw, such "
               "as NTC: N sequences, T frames, C columns"));
  translations.push_back(
      {"onnx-to-mlir", "Read an ONNX model with a time axis, write the network",
       /*takesSeveral=*/false,
       [](TranslationInputs &inputs, llvm::raw_ostream &os) {
         return translate(inputs, layouts, [&](ModuleOp module) {
           return writeModule(module, inputs, os);
         });
       }});
  translations.push_back(
      {"onnx-to-raw", "Read an ONNX model with a time axis, write a raw model",
       /*takesSeveral=*/false,
       [](TranslationInputs &inputs, llvm::raw_ostream &os) {
         return translate(inputs, layouts, [&](ModuleOp module) {
           NetworkOp network = *module.getOps<NetworkOp>().begin();
           return writeModel(network, os, inputs.binary);
         });
       }});
}

} // namespace mlir::nnet3
