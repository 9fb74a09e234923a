//===- CopyModel.cpp - Models, copied -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CopyOptions.h"
#include "nnet3/Kaldi/IO/OutputFile.h"
#include "nnet3/Pipelines/StageDialects.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/LoadModel.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"
#include "nnet3/Tools/AcousticModel.h"
#include "nnet3/Tools/ModelFiles.h"
#include "nnet3/Tools/Program.h"

#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;

static LogicalResult copy(MLIRContext *context, const CopyOptions &options) {
  OwningOpRef<ModuleOp> module =
      loadModel(findModelFile(options.input), context);
  if (!module)
    return failure();
  mlir::nnet3::NetworkOp network = getOnlyNetwork(*module);
  if (!network)
    return failure();
  auto file = OutputFile::create(options.output);
  if (!file)
    return emitFileError(context, file.takeError());
  llvm::raw_ostream &os = (*file)->getStream();
  bool isAcoustic = !options.raw && network.getTransitionModelAttr();
  if (failed(isAcoustic
                 ? writeMdl(network, os, options.binary, options.digits)
                 : writeModel(network, os, options.binary, options.digits)))
    return failure();
  return emitFileError(context, (*file)->commit());
}

/// Calls `run` in a context for models, and prints what it emits.
static bool runInContext(llvm::function_ref<LogicalResult(MLIRContext *)> run) {
  DialectRegistry registry;
  registerStageDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadDialect<mlir::nnet3::Nnet3Dialect>();
  context.printOpOnDiagnostic(false);
  LineDiagnosticHandler handler(&context, llvm::errs());
  return succeeded(run(&context));
}

bool mlir::nnet3::copyModel(const CopyOptions &options) {
  return runInContext(
      [&](MLIRContext *context) { return copy(context, options); });
}

bool mlir::nnet3::copyRawModel(const CopyOptions &options, StringRef input,
                               StringRef output) {
  return runInContext([&](MLIRContext *context) -> LogicalResult {
    FailureOr<ModelFile> model = loadModelFile(input, context);
    if (failed(model) || failed(options.changes.applyAll(model->network)) ||
        failed(writeRawFile(output, model->network, options.binary,
                            options.digits)))
      return failure();
    printLog("nnet3-copy",
             "Copied raw neural net from " + input + " to " + output);
    return success();
  });
}
