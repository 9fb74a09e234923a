//===- CopyModel.cpp - Copying models -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CopyOptions.h"
#include "nnet3/Pipelines/StageDialects.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Tools/Common/ModelFiles.h"
#include "nnet3/Tools/Common/Program.h"

#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;

static LogicalResult copy(MLIRContext *context, const CopyOptions &options) {
  FailureOr<ModelFile> model = loadModelFile(options.input, context);
  if (failed(model))
    return failure();
  const bool isAcoustic =
      !options.raw && model->network.getTransitionModelAttr();
  return (isAcoustic ? writeAcousticFile : writeRawFile)(
      options.output, model->network, options.binary, options.digits);
}

/// Calls `run` in a new context for models, and prints its diagnostics.
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
