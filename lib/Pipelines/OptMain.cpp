//===- OptMain.cpp - nnet3-opt with watchers of its passes ----------------===//

#include "nnet3/Pipelines/OptMain.h"
#include "nnet3/Pipelines/PassStatistics.h"
#include "nnet3/Target/Kaldi/LoadModel.h"
#include "nnet3/Target/Kaldi/OutputFile.h"
#include "nnet3/Target/Report/ReportRecorder.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using llvm::StringRef;

namespace nnet3 {

static LogicalResult fail(llvm::Error error) {
  llvm::errs() << llvm::toString(std::move(error)) << "\n";
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
  auto source = readTextOrBytecode(input);
  if (!source)
    return fail(source.takeError());
  auto result = OutputFile::create(output);
  if (!result)
    return fail(result.takeError());
  if (failed(MlirOptMain((*result)->getStream(),
                         terminateText(std::move(*source)), registry, config)))
    return failure();
  if (llvm::Error error = (*result)->commit())
    return fail(std::move(error));
  return success();
}

LogicalResult optMain(StringRef input, StringRef output,
                      const OptWatchers &watchers, DialectRegistry &registry) {
  std::unique_ptr<OutputFile> file;
  if (!watchers.reportFile.empty()) {
    // Before the passes run, which may take long.
    auto created = OutputFile::create(watchers.reportFile);
    if (!created)
      return fail(created.takeError());
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
    return fail(std::move(error));
  return success();
}

} // namespace nnet3
