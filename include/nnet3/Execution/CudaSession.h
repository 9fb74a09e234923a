//===- CudaSession.h - A GPU with shared weights ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_EXECUTION_CUDASESSION_H
#define NNET3_EXECUTION_CUDASESSION_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"
#include "nnet3/Execution/ProgramKey.h"
#include "nnet3/runtime/cuda/DeviceWeights.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>

namespace mlir::nnet3 {

/// A GPU, and the weights of a network in its memory.
class CudaSession {
public:
  using Weights = std::shared_ptr<const ::nnet3::rt::cuda::DeviceWeights>;

  /// The PTX is for this chip; the driver compiles it for later ones.
  static constexpr llvm::StringLiteral kChip = "sm_80";

  /// Emits an error at the network if there is no GPU. If `api` is null, the
  /// CUDA driver of this machine is used. Processes of one machine take its
  /// GPUs in turn; `process` is the number of this one. Registers the kernel
  /// models of components in the network's context.
  static FailureOr<CudaSession> open(NetworkOp network,
                                     const ::nnet3::rt::cuda::CudaApi *api,
                                     int process = 0);

  const ::nnet3::rt::cuda::CudaApi &getApi() const { return *api; }
  /// Returns the driver's number of the GPU.
  int getDevice() const { return device; }

  /// Returns the weights of the lowered `module` on the device. Shares them
  /// with an earlier module if its weights and `layout` are equal and still in
  /// use.
  FailureOr<Weights> upload(ModuleOp module, llvm::StringRef layout = "");

private:
  CudaSession(const ::nnet3::rt::cuda::CudaApi &api, int device)
      : api(&api), device(device) {}

  const ::nnet3::rt::cuda::CudaApi *api;
  int device;
  /// The weights in use, by a hash of their bytes and their layout.
  std::map<std::pair<ProgramKey, std::string>,
           std::weak_ptr<const ::nnet3::rt::cuda::DeviceWeights>>
      weights;
};

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_CUDASESSION_H
