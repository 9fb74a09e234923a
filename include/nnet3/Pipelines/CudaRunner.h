//===- CudaRunner.h - Requests by a GPU -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_PIPELINES_CUDARUNNER_H
#define NNET3_PIPELINES_CUDARUNNER_H

#include "nnet3/Pipelines/CudaSession.h"
#include "nnet3/Pipelines/NativeRunner.h"

namespace nnet3 {

/// Compiles requests for one network to PTX and runs them on the first GPU.
/// Forward only; the network is used as it is. Its weights are on the device
/// once for all requests.
class CudaRunner : public RequestRunner {
public:
  /// Fails with an error where there is no GPU, or at the network if a
  /// descriptor is bad. `api` is that of this machine if it is null.
  static mlir::FailureOr<std::unique_ptr<CudaRunner>>
  create(mlir::nnet3::NetworkOp network, const NativeOptions &options = {},
         const runtime::cuda::CudaApi *api = nullptr);

  mlir::FailureOr<std::unique_ptr<RequestInstance>>
  makeInstance(mlir::nnet3::RequestOp request) override;

private:
  CudaRunner(mlir::nnet3::NetworkOp network, mlir::nnet3::NodeTable nodes,
             const NativeOptions &options, CudaSession session)
      : RequestRunner(network, std::move(nodes), options.cacheCapacity),
        options(options), session(std::move(session)) {}

  NativeOptions options;
  CudaSession session;
};

} // namespace nnet3

#endif // NNET3_PIPELINES_CUDARUNNER_H
