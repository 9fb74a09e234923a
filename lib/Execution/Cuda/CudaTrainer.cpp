//===- CudaTrainer.cpp - Training steps by a GPU --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/CudaTrainer.h"
#include "LoweredRequest.h"
#include "nnet3/Conversion/KernelsToGpu/Passes.h"
#include "nnet3/Conversion/KernelsToGpu/Pipeline.h"
#include "nnet3/Conversion/Nnet3ToKernels/Passes.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"
#include "nnet3/Execution/TrainedWeights.h"
#include "nnet3/Pipelines/DeviceCode.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;
using ::nnet3::rt::Status;
namespace cuda = ::nnet3::rt::cuda;
using cuda::DeviceTrainingRequest;
using kernel::BlockAttr;

/// Compiles the update kernels, which are the same for all networks.
static FailureOr<cuda::DeviceCode> makeUpdateCode(Location loc) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  cuda::DeviceCode code;
  PassManager making(module->getContext()), lowering(module->getContext());
  making.addPass(createNnet3MakeUpdateKernels());
  if (failed(making.run(*module)))
    return failure();
  for (auto function : module->getOps<func::FuncOp>()) {
    cuda::Kernel &kernel = code.kernels.emplace_back();
    kernel.name = function.getSymName().str();
    auto loop = *function.getOps<scf::ParallelOp>().begin();
    auto block = function->getAttrOfType<BlockAttr>(BlockAttr::name);
    kernel.blocksX = *getConstantIntValue(loop.getUpperBound().front());
    kernel.threads = block.getThreads();
    kernel.numPlaces = llvm::count_if(function.getArgumentTypes(),
                                      [](Type type) { return type.isIndex(); });
  }
  lowering.addPass(createNnet3ConvertKernelsToGpu());
  addGpuToNVVMPasses(lowering);
  if (failed(lowering.run(*module)))
    return failure();
  auto ptx = emitPTX(*module, {CudaSession::kChip.str()});
  if (failed(ptx))
    return failure();
  code.ptx = std::move(*ptx);
  return code;
}

FailureOr<std::unique_ptr<CudaTrainer>>
CudaTrainer::create(NnetRunner &interpreter, const rt::TrainerOptions &options,
                    const cuda::CudaApi *api, int process) {
  NetworkOp network = interpreter.getNetwork();
  auto session = CudaSession::open(network, api, process);
  if (failed(session))
    return failure();
  auto program = interpreter.loadModelProgram();
  auto code = makeUpdateCode(network.getLoc());
  if (failed(program) || failed(code))
    return failure();
  auto trainer = cuda::DeviceTrainer::create(
      session->getApi(), session->getDevice(), std::move(*program),
      std::make_shared<const cuda::DeviceCode>(std::move(*code)), options);
  if (!trainer.ok())
    return network.emitError(trainer.status().message());
  return std::unique_ptr<CudaTrainer>(new CudaTrainer(
      interpreter, options, std::move(*session), std::move(*trainer)));
}

/// Returns the description of the request that the trainer needs.
static FailureOr<DeviceTrainingRequest>
makeTrainingRequest(ModuleOp module, const DeviceProgram::Request &from) {
  DeviceTrainingRequest request;
  request.request = from.request;
  request.request.outputs.clear();
  request.inputs = from.inputs;
  const std::vector<cuda::DeviceMatrix> &matrices = from.request.outputs;
  for (auto [i, name] : llvm::enumerate(from.outputs))
    request.outputs.push_back({name, matrices[i]});
  for (auto [i, gradient] : llvm::enumerate(from.gradients)) {
    const cuda::DeviceMatrix &matrix = matrices[from.outputs.size() + i];
    request.gradients.push_back({gradient.component, gradient.parameter,
                                 matrix.place,
                                 uint64_t(matrix.rows) * matrix.cols});
  }
  for (const DeviceProgram::Parameter &parameter : from.parameters)
    request.parameters.push_back({parameter.component, parameter.parameter,
                                  parameter.place, parameter.size});
  auto derived = findDerivedWeights(module, from.parameters);
  if (failed(derived))
    return failure();
  request.derived = std::move(*derived);
  return request;
}

FailureOr<std::shared_ptr<const rt::Program>>
CudaTrainer::prepare(RequestOp request) {
  if (!storeComponentStats)
    request.setStoreComponentStats(false);
  auto program = interpreter.load(request);
  if (failed(program))
    return failure();
  auto module = lowerRequest(
      interpreter.getNetwork(), request, [&](OpPassManager &passes) {
        addDevicePasses(
            passes, Stage::Lowered, /*testMode=*/false, Precision::F32,
            TrainingCode{/*updates=*/true, interpreter.getOptimization(),
                         /*threads=*/1, isShared});
      });
  if (failed(module))
    return failure();
  // Weights derived from parameters change in training, so the layout must be
  // known.
  std::string layout;
  llvm::raw_string_ostream(layout)
      << kernel::ResourcesOp::find(**module).getLayout();
  auto uploaded = session.upload(**module, layout);
  if (failed(uploaded))
    return failure();
  auto code = emitDeviceProgram(**module, {CudaSession::kChip.str()});
  if (failed(code))
    return failure();
  auto training = makeTrainingRequest(**module, code->requests.front());
  if (failed(training))
    return failure();
  Status status = trainer->addShape(
      *program, std::move(*training), std::move(*uploaded),
      std::make_shared<const cuda::DeviceCode>(std::move(code->code)));
  if (!status.ok())
    return request.emitError(status.message());
  return program;
}

rt::Result<const rt::Model *> CudaTrainer::getModel() {
  Status status = trainer->download();
  if (!status.ok())
    return status;
  return &trainer->model();
}
