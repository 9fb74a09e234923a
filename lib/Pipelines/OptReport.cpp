//===- OptReport.cpp - nnet3-opt with a report ----------------------------===//

#include "nnet3/Pipelines/OptReport.h"
#include "nnet3/Target/Kaldi/OutputFile.h"
#include "nnet3/Target/Report/ReportRecorder.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using llvm::StringRef;

static LogicalResult fail(const llvm::Twine &message) {
  llvm::errs() << message << "\n";
  return failure();
}

/// As MlirOptMain does it with names of files, which has no place for a
/// recorder.
static LogicalResult runPasses(StringRef input, StringRef output,
                               DialectRegistry &registry,
                               ::nnet3::ReportRecorder &recorder) {
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  MlirOptMainConfig passes = config;
  config.setPassPipelineSetupFn([&](PassManager &manager) {
    if (failed(passes.setupPassPipeline(manager)))
      return failure();
    recorder.watch(manager);
    return success();
  });
  std::string message;
  auto source = openInputFile(input, &message);
  if (!source)
    return fail(message);
  auto result = openOutputFile(output, &message);
  if (!result)
    return fail(message);
  if (failed(MlirOptMain(result->os(), std::move(source), registry, config)))
    return failure();
  result->keep();
  return success();
}

namespace nnet3 {

LogicalResult optWithReport(StringRef input, StringRef output,
                            StringRef reportFile, DialectRegistry &registry) {
  // Before the passes run, which may take long.
  auto file = OutputFile::create(reportFile);
  if (!file)
    return fail(llvm::toString(file.takeError()));
  ReportRecorder recorder;
  if (failed(runPasses(input, output, registry, recorder)))
    return failure();
  writeReport(recorder.getReport(), (*file)->getStream());
  if (llvm::Error error = (*file)->commit())
    return fail(llvm::toString(std::move(error)));
  return success();
}

} // namespace nnet3
