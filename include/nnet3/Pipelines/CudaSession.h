//===- CudaSession.h - What requests share on a GPU -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_PIPELINES_CUDASESSION_H
#define NNET3_PIPELINES_CUDASESSION_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"
#include "nnet3/Pipelines/ProgramKey.h"
#include "nnet3/runtime/cuda/DeviceWeights.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>

namespace nnet3 {

/// The first GPU, and the weights of a network that are there.
class CudaSession {
public:
  using Weights = std::shared_ptr<const runtime::cuda::DeviceWeights>;

  /// The PTX runs on this GPU and on later ones, which compile it anew.
  static constexpr llvm::StringLiteral kChip = "sm_80";

  /// Fails with an error at the network where there is no GPU. `api` is that of
  /// this machine if it is null. The network's context gets what code of
  /// components needs.
  static mlir::FailureOr<CudaSession> open(mlir::nnet3::NetworkOp network,
                                           const runtime::cuda::CudaApi *api);

  const runtime::cuda::CudaApi &getApi() const { return *api; }

  /// The weights of the lowered `module` on the device: those of an earlier
  /// one where they, and `layout`, are the same and still in use.
  mlir::FailureOr<Weights> upload(mlir::ModuleOp module,
                                  llvm::StringRef layout = "");

private:
  explicit CudaSession(const runtime::cuda::CudaApi &api) : api(&api) {}

  const runtime::cuda::CudaApi *api;
  /// By their bytes and their layout.
  std::map<std::pair<ProgramKey, std::string>,
           std::weak_ptr<const runtime::cuda::DeviceWeights>>
      weights;
};

} // namespace nnet3

#endif // NNET3_PIPELINES_CUDASESSION_H
