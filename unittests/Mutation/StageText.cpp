//===- StageText.cpp - Stages of random networks as text ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StageText.h"

#include "Networks/Case.h"
#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Conversion/KernelToVector/Passes.h"
#include "nnet3/Conversion/KernelsToLLVM/Pipeline.h"
#include "nnet3/Conversion/Nnet3ToKernels/Passes.h"
#include "nnet3/Dialect/Kernel/Transforms/Passes.h"
#include "nnet3/Pipelines/DeviceCode.h"
#include "nnet3/Pipelines/NativeCode.h"
#include "nnet3/Pipelines/StageDialects.h"
#include "nnet3/Stream/CreateStream.h"
#include "nnet3/Target/Cpu/Passes.h"
#include "nnet3/Target/Library/LibraryEmitter.h"
#include "nnet3/Target/Program/ProgramEmitter.h"
#include "nnet3/Target/Report/NetworkDrawing.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir::nnet3;
using namespace mlir::nnet3::mutation;
using mlir::nnet3::property::Case;

const std::vector<Form> &mutation::getForms() {
  static const std::vector<Form> forms = {
      {Stage::Network},
      {Stage::Network, /*device=*/false, /*training=*/false,
       /*operations=*/false, /*stream=*/true},
      {Stage::Commands},
      {Stage::Optimized},
      {Stage::Fused},
      {Stage::Fused, /*device=*/false, /*training=*/false, /*operations=*/true},
      {Stage::Kernels},
      {Stage::Loops},
      {Stage::Lowered},
      {Stage::Lowered, /*device=*/false, /*training=*/false,
       /*operations=*/false, /*stream=*/true},
      {Stage::Fused, /*device=*/true},
      {Stage::Kernels, /*device=*/true},
      {Stage::Loops, /*device=*/true},
      {Stage::Lowered, /*device=*/true},
      {Stage::Fused, /*device=*/true, /*training=*/true},
      {Stage::Kernels, /*device=*/true, /*training=*/true},
      {Stage::Loops, /*device=*/true, /*training=*/true},
      {Stage::Lowered, /*device=*/true, /*training=*/true},
      {Stage::Fused, /*device=*/false, /*training=*/true},
      {Stage::Kernels, /*device=*/false, /*training=*/true},
      {Stage::Loops, /*device=*/false, /*training=*/true},
      {Stage::Lowered, /*device=*/false, /*training=*/true}};
  return forms;
}

std::string mutation::getName(const Form &form) {
  static const char *const names[] = {"network", "commands", "optimized",
                                      "fused",   "kernels",  "loops",
                                      "lowered"};
  if (form.operations)
    return "operations";
  return std::string(form.training && form.device ? "training-"
                     : form.training              ? "native-training-"
                     : form.stream                ? "stream-"
                     : form.device                ? "device-"
                                                  : "") +
         names[int(form.stage)];
}

std::unique_ptr<mlir::MLIRContext> mutation::makeStageContext() {
  mlir::DialectRegistry registry;
  registerStageDialects(registry);
  registerKernelModels(registry);
  auto context = std::make_unique<mlir::MLIRContext>(
      registry, mlir::MLIRContext::Threading::DISABLED);
  context->loadDialect<Nnet3Dialect, mlir::memref::MemRefDialect>();
  return context;
}

/// Runs `stages` of `form` on `module`.
static mlir::LogicalResult runStages(mlir::ModuleOp module, const Form &form,
                                     StageRange stages) {
  mlir::PassManager passes(module.getContext());
  if (!form.device && form.training)
    addNativeTrainingPasses(passes, stages,
                            TrainingCode{/*updates=*/true, {}, /*threads=*/2},
                            {"", {"sse2"}});
  else if (!form.device)
    addNativePasses(passes, stages, {"", {"sse2"}});
  else if (form.training)
    addDevicePasses(passes, stages, /*testMode=*/false, Precision::F32,
                    TrainingCode{/*updates=*/true});
  else
    addDevicePasses(passes, stages, /*testMode=*/false);
  if (form.operations && stages.to == Stage::Fused) {
    passes.addPass(kernel::createKernelSetTarget({"", {"sse2"}}));
    passes.addPass(createNnet3ConvertToKernels());
  }
  return passes.run(module);
}

/// Replaces the requests of the network by those of a stream.
static mlir::LogicalResult makeStream(mlir::ModuleOp module) {
  for (auto request : llvm::make_early_inc_range(module.getOps<RequestOp>()))
    request.erase();
  if (failed(prepareForStreams(module, Precision::F32)))
    return mlir::failure();
  StreamOptions options;
  options.chunks = {4, 8};
  options.sequences = {1, 2};
  mlir::SymbolTable symbols(module);
  return createStream(symbols, *module.getOps<NetworkOp>().begin(), options);
}

/// Lowers operations of the kernel dialect; with `random`, to the LLVM dialect.
static void lowerOperations(mlir::ModuleOp module, property::Random &random) {
  mlir::PassManager passes(module.getContext());
  passes.addPass(kernel::createKernelOutline());
  passes.addPass(kernel::createKernelToVector());
  if (random.chance(0.3))
    addKernelsToLLVMPasses(passes);
  (void)passes.run(module);
}

std::string mutation::getText(mlir::MLIRContext &context, uint64_t seed,
                              const Form &form, bool generic) {
  auto test = Case::generate(context, seed, form.training);
  if (!test->getError().empty() ||
      (form.stream && failed(makeStream(test->getModule()))) ||
      failed(runStages(test->getModule(), form, form.stage)))
    return "";
  std::string text;
  llvm::raw_string_ostream os(text);
  test->getModule().print(os,
                          mlir::OpPrintingFlags().printGenericOpForm(generic));
  return text;
}

/// Runs the emitters that read computations.
static void emitPrograms(mlir::ModuleOp module) {
  for (auto network : module.getOps<NetworkOp>()) {
    auto parameters = ParameterBlob::create(network);
    if (mlir::succeeded(parameters))
      for (auto computation : module.getOps<ComputationOp>())
        (void)emitProgram(computation, *parameters, RequestOp());
  }
}

/// The probability that code is emitted, which takes longer than all else.
static constexpr double kEmitted = 0.1;

/// Runs the emitters that read the LLVM dialect.
static void emitLibrary(mlir::ModuleOp module, const Form &form,
                        property::Random &random) {
  if (form.device) {
    auto program = collectDeviceProgram(module);
    if (mlir::succeeded(program))
      (void)collectLibraryData(module, /*cpuFeatures=*/{}, &*program);
    if (random.chance(kEmitted))
      (void)emitPTX(module, {"sm_80"});
    return;
  }
  (void)collectLibraryData(module, /*cpuFeatures=*/{}, /*device=*/nullptr);
  if (random.chance(kEmitted))
    (void)emitCode(
        module,
        {.cpu = "x86-64", .isOptimized = false, .triple = {}, .features = {}},
        CodeForm::LLVM);
}

void mutation::runRest(mlir::ModuleOp module, const Form &form,
                       property::Random &random) {
  if (form.operations)
    return lowerOperations(module, random);
  if (form.stream)
    for (auto network : module.getOps<NetworkOp>())
      (void)NetworkDrawing::get(network);
  Stage stage = form.stage;
  if (stage != Stage::Network && stage < Stage::Fused)
    emitPrograms(module);
  while (stage != Stage::Lowered) {
    const Stage next = form.training && stage == Stage::Network
                           ? Stage::Fused
                           : Stage(int(stage) + 1);
    if (failed(runStages(module, form, {stage, next})))
      return;
    stage = next;
    if (random.chance(0.6))
      return;
  }
  // A module that is read in this stage is checked, too.
  if (mlir::succeeded(
          runStages(module, form, {Stage::Lowered, Stage::Lowered})))
    emitLibrary(module, form, random);
}
