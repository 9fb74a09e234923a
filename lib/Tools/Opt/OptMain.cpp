//===- OptMain.cpp - nnet3-opt with watchers of its passes ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/OptMain.h"
#include "nnet3/Kaldi/IO/OutputFile.h"
#include "nnet3/Target/Kaldi/LoadModel.h"
#include "nnet3/Target/Kaldi/SourceDiagnostics.h"
#include "nnet3/Target/Report/ReportRecorder.h"
#include "nnet3/Tools/Common/CommandLine.h"
#include "nnet3/Tools/PassStatistics.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Debug/CLOptionsSetup.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "mlir/Tools/ParseUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using llvm::StringRef;

namespace mlir::nnet3 {

static LogicalResult fail(llvm::Error error) {
  llvm::errs() << llvm::toString(std::move(error)) << "\n";
  return failure();
}

/// Whether the options ask for a check or a list of MlirOptMain's own: several
/// modules in a file, expected diagnostics, fewer diagnostics, round trips,
/// reproducers, remarks.
static bool needsMlirOptMain(const MlirOptMainConfig &config) {
  return !config.inputSplitMarker().empty() ||
         config.shouldVerifyDiagnostics() || config.shouldVerifyRoundtrip() ||
         config.shouldRunReproducer() || config.shouldShowDialects() ||
         config.shouldListPasses() || config.shouldEmitRemarks() ||
         !config.getIrdlFile().empty() ||
         !config.getReproducerFilename().empty() || !config.shouldShowNotes() ||
         config.getDiagnosticVerbosityLevel() !=
             VerbosityLevel::ErrorsWarningsAndRemarks;
}

static LogicalResult write(Operation *op, raw_ostream &os,
                           FallbackAsmResourceMap &resources,
                           const MlirOptMainConfig &config) {
  if (config.shouldEmitBytecode()) {
    BytecodeWriterConfig writer(resources);
    if (auto version = config.bytecodeVersionToEmit())
      writer.setDesiredBytecodeVersion(*version);
    writer.setElideResourceDataFlag(
        config.shouldElideResourceDataFromBytecode());
    return writeBytecodeToFile(op, os, writer);
  }
  AsmState state(op, OpPrintingFlags(), /*locationMap=*/nullptr, &resources);
  op->print(os, state);
  os << '\n';
  return success();
}

/// Reads, transforms and writes one module, as MlirOptMain does, whose
/// diagnostics would show whole lines.
static LogicalResult runOnModule(raw_ostream &os,
                                 std::unique_ptr<llvm::MemoryBuffer> source,
                                 DialectRegistry &registry,
                                 const MlirOptMainConfig &config) {
  auto sourceMgr = std::make_shared<llvm::SourceMgr>();
  sourceMgr->AddNewSourceBuffer(std::move(source), llvm::SMLoc());
  MLIRContext context(registry);
  context.allowUnregisteredDialects(config.shouldAllowUnregisteredDialects());
  tracing::InstallDebugHandler debugHandler(context, config.getDebugConfig());
  SourceDiagnosticHandler diagnostics(*sourceMgr, &context);

  DefaultTimingManager timingManager;
  applyDefaultTimingManagerCLOptions(timingManager);
  TimingScope timing = timingManager.getRootScope();
  TimingScope parserTiming = timing.nest("Parser");
  FallbackAsmResourceMap resources;
  OwningOpRef<Operation *> op = parseSourceFileForTool(
      sourceMgr,
      ParserConfig(&context, config.shouldVerifyOnParsing(), &resources),
      !config.shouldUseExplicitModule());
  if (!op)
    return failure();
  parserTiming.stop();

  PassManager passes(&context, op.get()->getName().getStringRef(),
                     OpPassManager::Nesting::Implicit);
  passes.enableVerifier(config.shouldVerifyPasses());
  if (failed(applyPassManagerCLOptions(passes)))
    return failure();
  passes.enableTiming(timing);
  if (failed(config.setupPassPipeline(passes)) || failed(passes.run(op.get())))
    return failure();
  TimingScope outputTiming = timing.nest("Output");
  return write(op.get(), os, resources, config);
}

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
  auto text = terminateText(std::move(*source));
  raw_ostream &os = (*result)->getStream();
  if (failed(needsMlirOptMain(config)
                 ? MlirOptMain(os, std::move(text), registry, config)
                 : runOnModule(os, std::move(text), registry, config)))
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
  std::string version;
  llvm::raw_string_ostream versionStream(version);
  printVersion(versionStream);
  ReportRecorder recorder(input, StringRef(version).trim());
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

} // namespace mlir::nnet3
