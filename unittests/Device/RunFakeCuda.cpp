//===- RunFakeCuda.cpp - nnet3-run without a GPU --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a request or utterances like nnet3-run --backend=cuda, with its options,
// but on a fake driver: the reference's cases check the results of kernels on
// machines without a GPU. With --emulate-threads, kernels are executed thread
// by thread, and operations that a GPU could not execute or could order
// differently are errors.
//
//===----------------------------------------------------------------------===//

#include "FakeCudaTrainer.h"

#include "nnet3/Dialect/Nnet3/Transforms/Passes.h"
#include "nnet3/Execution/CudaRunner.h"
#include "nnet3/Target/Kaldi/LoadModel.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"
#include "nnet3/Tools/Common/OptionParser.h"
#include "nnet3/Tools/Run.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;
using mlir::nnet3::NetworkOp;
using mlir::nnet3::RequestOp;
using rt::test::FakeCuda;

namespace {

/// A fake GPU that gets the kernels of a request before it runs them.
class FakeCudaRunner : public RequestRunner {
public:
  FakeCudaRunner(std::unique_ptr<CudaRunner> inner, FakeCuda &cuda,
                 const NativeOptions &options, test::GpuEmulator *emulator)
      : RequestRunner(inner->getNetwork(), inner->getNodes(), /*capacity=*/1),
        inner(std::move(inner)), cuda(cuda), options(options),
        emulator(emulator) {}

  FailureOr<std::unique_ptr<RequestInstance>>
  makeInstance(RequestOp request) override {
    auto made =
        test::HostKernels::create(test::copyNetwork(network, {request}),
                                  {/*updates=*/false, options.optimization},
                                  options.precision.precision, emulator);
    if (failed(made))
      return failure();
    kernels = std::move(*made);
    kernels->addTo(cuda);
    return inner->makeInstance(request);
  }

private:
  std::unique_ptr<test::HostKernels> kernels;
  std::unique_ptr<CudaRunner> inner;
  FakeCuda &cuda;
  NativeOptions options;
  test::GpuEmulator *emulator;
};

} // namespace

static LogicalResult train(NetworkOp network, const RunOptions &options,
                           FakeCuda &cuda, test::GpuEmulator *emulator) {
  RunnerOptions optimized;
  optimized.optimization = options.optimization;
  auto interpreter = NnetRunner::create(network, optimized);
  if (failed(interpreter))
    return failure();
  auto trainer = test::FakeCudaTrainer::create(**interpreter, options.training,
                                               cuda, emulator);
  if (failed(trainer))
    return failure();
  Runners runners;
  runners.interpreter = interpreter->get();
  runners.backend = std::move(*interpreter);
  runners.trainer = std::move(*trainer);
  return trainRequest(runners, options);
}

static LogicalResult run(MLIRContext *context, const RunOptions &options,
                         test::GpuEmulator *emulator) {
  OwningOpRef<ModuleOp> module =
      loadModel(options.model, context, options.initSeed);
  if (!module)
    return failure();
  NetworkOp network = getOnlyNetwork(*module);
  if (!network)
    return failure();
  if (options.isInference()) {
    PassManager passes(context, network.getOperationName());
    passes.addPass(mlir::nnet3::createNnet3SetTestMode());
    if (failed(passes.run(network)))
      return failure();
  }
  FakeCuda cuda;
  if (!options.trainedModel.empty())
    return train(network, options, cuda, emulator);
  Runners runners;
  if (options.streaming) {
    auto stream = mlir::nnet3::makeStream(*module, network, options);
    if (failed(stream))
      return failure();
    runners.stream = *stream;
  }
  NativeOptions native;
  native.precision = *mlir::nnet3::parsePrecision(options.precision);
  native.optimization = options.optimization;
  auto inner = CudaRunner::create(network, native, &cuda.getApi());
  if (failed(inner))
    return failure();
  runners.backend = std::make_unique<FakeCudaRunner>(std::move(*inner), cuda,
                                                     native, emulator);
  if (options.trains() || !options.compare.empty()) {
    auto models = NnetRunner::create(network);
    if (failed(models))
      return failure();
    if (options.trains())
      runners.interpreter = models->get();
    runners.reference = std::move(*models);
  }
  return options.request.empty() ? runTables(runners, options)
                                 : runRequest(runners, options);
}

/// Prints the errors that the emulator has found.
static LogicalResult check(const test::GpuEmulator &emulator) {
  for (const std::string &finding : emulator.getFindings())
    llvm::errs() << "error: " << finding << "\n";
  return success(emulator.getFindings().empty());
}

int main(int argc, char **argv) {
  RunOptions options;
  bool emulatesThreads = false;
  uint64_t threadOrder = 0;
  OptionParser parser("Runs requests on a GPU that is not there.\n");
  options.registerOptions(parser);
  parser.beginGroup("Emulation");
  parser.add("emulate-threads", &emulatesThreads,
             "Execute each thread of the kernels as a GPU would, and report "
             "races and wrong accesses, instead of their loops");
  parser.add("thread-order", &threadOrder,
             "Of emulated threads: 0 is ascending, 1 descending, others are "
             "seeds of random orders");
  auto positional = parser.parse(llvm::ArrayRef(argv + 1, argc - 1));
  llvm::Error error =
      positional ? options.finish(*positional, parser) : positional.takeError();
  if (error) {
    llvm::errs() << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<mlir::nnet3::Nnet3Dialect, memref::MemRefDialect>();
  std::optional<test::GpuEmulator> emulator;
  if (emulatesThreads)
    emulator.emplace(threadOrder);
  const bool hasRun =
      succeeded(run(&context, options, emulator ? &*emulator : nullptr));
  return hasRun && (!emulator || succeeded(check(*emulator))) ? 0 : 1;
}
