//===- CodePipelines.cpp - Registered pipelines of nnet3-compile ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Pipelines/CodePipelines.h"
#include "nnet3/Conversion/ModulePipeline.h"
#include "nnet3/Pipelines/DeviceCode.h"
#include "nnet3/Pipelines/NativeCode.h"
#include "nnet3/Pipelines/TensorCode.h"

#include "mlir/Pass/PassOptions.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {

llvm::cl::ValuesClass getStages() {
  return llvm::cl::values(
      clEnumValN(Stage::Network, "network", "a network with requests"),
      clEnumValN(Stage::Commands, "commands", "computations"),
      clEnumValN(Stage::Optimized, "optimized", "after nnet3-optimize"),
      clEnumValN(Stage::Fused, "fused", "with fused commands"),
      clEnumValN(Stage::Kernels, "kernels", "functions of kernel operations"),
      clEnumValN(Stage::Loops, "loops", "functions, loops and vectors"),
      clEnumValN(Stage::Lowered, "llvm-dialect", "the LLVM dialect"));
}

/// Options of both pipelines, named like those of nnet3-compile.
template <typename Derived>
struct CodeOptions : public PassPipelineOptions<Derived> {
  template <typename T>
  using Option = typename PassPipelineOptions<Derived>::template Option<T>;

  Option<Stage> from{*this, "from",
                     llvm::cl::desc("the stage that the module has reached"),
                     llvm::cl::init(Stage::Network), getStages()};
  Option<Stage> to{*this, "to", llvm::cl::desc("the last stage"),
                   llvm::cl::init(Stage::Lowered), getStages()};
  Option<bool> testMode{
      *this, "test-mode",
      llvm::cl::desc("batch norm and dropout as at test time"),
      llvm::cl::init(true)};
  Option<Precision> precision{
      *this, "precision",
      llvm::cl::desc("the numbers that large matmuls multiply"),
      llvm::cl::init(Precision::F32),
      llvm::cl::values(
          clEnumValN(Precision::F32, "f32", "as they are"),
          clEnumValN(Precision::BF16, "bf16", "rounded to bf16"),
          clEnumValN(Precision::Int8, "int8", "scaled to integers of 8 bits"),
          clEnumValN(Precision::Int16, "int16",
                     "scaled to integers of 16 bits"),
          clEnumValN(Precision::TF32, "tf32", "rounded to tf32"),
          clEnumValN(Precision::FP16, "fp16", "rounded to fp16"))};

  StageRange getRange() const { return {from.getValue(), to.getValue()}; }
};

struct NativeOptions : public CodeOptions<NativeOptions> {
  Option<std::string> cpu{*this, "target-cpu",
                          llvm::cl::desc("CPU by LLVM's name")};
  Option<std::string> target{
      *this, "target", llvm::cl::desc("triple of architecture and system")};
  Option<std::string> features{
      *this, "target-features",
      llvm::cl::desc("features beside the CPU's, as LLVM names them")};
  ListOption<std::string> componentPrecisions{
      *this, "component-precisions",
      llvm::cl::desc("components with another precision, as NAME:PRECISION")};
  Option<bool> training{
      *this, "training",
      llvm::cl::desc("requests with derivatives or statistics, as training "
                     "compiles them; networks keep their mode"),
      llvm::cl::init(false)};
  Option<bool> updates{
      *this, "updates",
      llvm::cl::desc("with training: the gradient is that of training steps"),
      llvm::cl::init(false)};
  Option<int64_t> threads{
      *this, "threads",
      llvm::cl::desc("with training: the threads that run a step together"),
      llvm::cl::init(1)};
  Option<bool> shared{
      *this, "shared",
      llvm::cl::desc("with training: other processes compute parts of the same "
                     "minibatch"),
      llvm::cl::init(false)};
};

struct CudaOptions : public CodeOptions<CudaOptions> {};

struct LinalgOptions : public PassPipelineOptions<LinalgOptions> {
  Option<bool> testMode{
      *this, "test-mode",
      llvm::cl::desc("batch norm and dropout as at test time"),
      llvm::cl::init(true)};
};

} // namespace

using EmitError = function_ref<LogicalResult(const Twine &)>;

/// Registers a module pipeline that `add` fills.
template <typename Options>
static void registerPipeline(StringRef name, StringRef description,
                             LogicalResult (*add)(OpPassManager &,
                                                  const Options &, EmitError)) {
  registerPassPipeline(
      name, description,
      [=](OpPassManager &manager, StringRef text,
          EmitError emitError) -> LogicalResult {
        Options options;
        if (failed(options.parseFromString(text)) ||
            failed(checkIsModulePipeline(manager, name, emitError)))
          return failure();
        return add(manager, options, emitError);
      },
      [](function_ref<void(const mlir::detail::PassOptions &)> show) {
        show(Options());
      });
}

static LogicalResult addNative(OpPassManager &module,
                               const NativeOptions &options,
                               EmitError emitError) {
  std::string error;
  auto target =
      CodeTarget::get(options.target, options.cpu, options.features, error);
  if (failed(target))
    return emitError(error);
  if (options.training) {
    addNativeTrainingPasses(
        module, options.getRange(),
        {options.updates, {}, options.threads, options.shared},
        getPassOptions(*target));
    return success();
  }
  addNativePasses(
      module, options.getRange(), getPassOptions(*target), options.testMode,
      {options.precision,
       std::vector<std::string>(options.componentPrecisions.begin(),
                                options.componentPrecisions.end())});
  return success();
}

static LogicalResult addCuda(OpPassManager &module, const CudaOptions &options,
                             EmitError) {
  addDevicePasses(module, options.getRange(), options.testMode,
                  options.precision);
  return success();
}

static LogicalResult addLinalg(OpPassManager &module,
                               const LinalgOptions &options, EmitError) {
  addLinalgPasses(module, options.testMode);
  return success();
}

void mlir::nnet3::registerCodePipelines() {
  registerPipeline<NativeOptions>(
      "nnet3-native", "what nnet3-compile does for a CPU", addNative);
  registerPipeline<CudaOptions>(
      "nnet3-cuda", "what nnet3-compile --target=cuda does", addCuda);
  registerPipeline<LinalgOptions>(
      "nnet3-linalg", "what nnet3-compile --emit=linalg does", addLinalg);
}
