//===- FakeCudaTrainer.cpp - Training on a fake GPU -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FakeCudaTrainer.h"

using namespace mlir;
using namespace mlir::nnet3;
using mlir::nnet3::test::FakeCudaTrainer;
using ::nnet3::rt::test::FakeCuda;
namespace rt = ::nnet3::rt;

void FakeCudaTrainer::add(std::unique_ptr<HostKernels> made) {
  made->addTo(cuda);
  kernels.push_back(std::move(made));
}

FailureOr<std::unique_ptr<RequestTrainer>>
FakeCudaTrainer::create(NnetRunner &interpreter,
                        const rt::TrainerOptions &options, FakeCuda &cuda,
                        GpuEmulator *emulator) {
  std::unique_ptr<FakeCudaTrainer> trainer(
      new FakeCudaTrainer(interpreter, options.isShared(), cuda, emulator));
  auto updates = HostKernels::createUpdateKernels(
      interpreter.getNetwork().getContext(), emulator);
  if (failed(updates))
    return failure();
  trainer->add(std::move(*updates));
  auto inner = CudaTrainer::create(interpreter, options, &cuda.getApi());
  if (failed(inner))
    return failure();
  trainer->inner = std::move(*inner);
  return std::unique_ptr<RequestTrainer>(std::move(trainer));
}

FailureOr<std::shared_ptr<const rt::Program>>
FakeCudaTrainer::prepare(RequestOp request) {
  auto made =
      HostKernels::create(copyNetwork(interpreter.getNetwork(), {request}),
                          {/*updates=*/true, interpreter.getOptimization(),
                           /*threads=*/1, isShared},
                          Precision::F32, emulator);
  if (failed(made))
    return failure();
  add(std::move(*made));
  return inner->prepare(request);
}
