//===- CudaSession.h - What requests share on a GPU -------------*- C++ -*-===//
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

/// The first GPU, and the weights of a network that are there.
class CudaSession {
public:
  using Weights = std::shared_ptr<const ::nnet3::rt::cuda::DeviceWeights>;

  /// The PTX runs on this GPU and on later ones, which compile it anew.
  static constexpr llvm::StringLiteral kChip = "sm_80";

  /// Fails with an error at the network where there is no GPU. `api` is that of
  /// this machine if it is null. The network's context gets what code of
  /// components needs.
  static FailureOr<CudaSession> open(NetworkOp network,
                                     const ::nnet3::rt::cuda::CudaApi *api);

  const ::nnet3::rt::cuda::CudaApi &getApi() const { return *api; }

  /// The weights of the lowered `module` on the device: those of an earlier
  /// one where they, and `layout`, are the same and still in use.
  FailureOr<Weights> upload(ModuleOp module, llvm::StringRef layout = "");

private:
  explicit CudaSession(const ::nnet3::rt::cuda::CudaApi &api) : api(&api) {}

  const ::nnet3::rt::cuda::CudaApi *api;
  /// By their bytes and their layout.
  std::map<std::pair<ProgramKey, std::string>,
           std::weak_ptr<const ::nnet3::rt::cuda::DeviceWeights>>
      weights;
};

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_CUDASESSION_H
