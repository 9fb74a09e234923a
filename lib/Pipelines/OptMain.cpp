//===- OptMain.cpp - nnet3-opt with watchers of its passes ----------------===//

#include "nnet3/Pipelines/OptMain.h"
#include "nnet3/Pipelines/PassStatistics.h"
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

/// As MlirOptMain does it with names of files, which has no place for those who
/// watch the passes.
static LogicalResult runPasses(StringRef input, StringRef output,
                               DialectRegistry &registry,
                               function_ref<void(PassManager &)> watch) {
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  MlirOptMainConfig passes = config;
  config.setPassPipelineSetupFn([&](PassManager &manager) {
    if (failed(passes.setupPassPipeline(manager)))
      return failure();
    watch(manager);
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

LogicalResult optMain(StringRef input, StringRef output,
                      const OptWatchers &watchers, DialectRegistry &registry) {
  std::unique_ptr<OutputFile> file;
  if (!watchers.reportFile.empty()) {
    // Before the passes run, which may take long.
    auto created = OutputFile::create(watchers.reportFile);
    if (!created)
      return fail(llvm::toString(created.takeError()));
    file = std::move(*created);
  }
  ReportRecorder recorder;
  PassStatistics statistics;
  LogicalResult result =
      runPasses(input, output, registry, [&](PassManager &manager) {
        if (watchers.statistics)
          statistics.watch(manager);
        if (file)
          recorder.watch(manager);
      });
  if (watchers.statistics)
    statistics.print(llvm::errs());
  if (failed(result) || !file)
    return result;
  writeReport(recorder.getReport(), file->getStream());
  if (llvm::Error error = file->commit())
    return fail(llvm::toString(std::move(error)));
  return success();
}

} // namespace nnet3
