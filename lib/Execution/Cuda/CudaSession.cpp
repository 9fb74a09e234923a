//===- CudaSession.cpp - GPU state shared by requests ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/CudaSession.h"
#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Execution/NativeProgram.h"
#include "nnet3/Target/Library/WeightPacker.h"

using namespace mlir;
using namespace mlir::nnet3;
namespace cuda = ::nnet3::rt::cuda;

FailureOr<CudaSession>
CudaSession::open(NetworkOp network, const cuda::CudaApi *api, int process) {
  // These errors are not about the network.
  const Location machine = UnknownLoc::get(network.getContext());
  if (!api) {
    auto loaded = cuda::loadCudaApi();
    if (!loaded.ok())
      return emitError(machine) << loaded.status().message();
    api = *loaded;
  }
  // The first GPU needs no count.
  int device = 0;
  if (process > 0) {
    int count = 0;
    if (cuda::Error error = api->driver.deviceGetCount(&count))
      return emitError(machine)
             << cuda::makeStatus(*api, error, "counting devices").message();
    device = process % std::max(count, 1);
  }
  DialectRegistry registry;
  registerKernelModels(registry);
  network.getContext()->appendDialectRegistry(registry);
  return CudaSession(*api, device);
}

FailureOr<CudaSession::Weights> CudaSession::upload(ModuleOp module,
                                                    StringRef layout) {
  auto resources = kernel::ResourcesOp::find(module);
  auto values = packWeights(resources, sizeof(float) * resources.getSize());
  if (failed(values))
    return failure();
  const ProgramKey key = NativeWeights::getKey(*values);
  std::weak_ptr<const cuda::DeviceWeights> &known =
      weights[{key, layout.str()}];
  if (Weights used = known.lock())
    return used;
  auto uploaded =
      cuda::DeviceWeights::create(*api, device, values->data(), values->size());
  if (!uploaded.ok())
    return module.emitError(uploaded.status().message());
  known = *uploaded;
  return *uploaded;
}
