//===- CudaRunner.h - Requests by a GPU -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_EXECUTION_CUDARUNNER_H
#define NNET3_EXECUTION_CUDARUNNER_H

#include "nnet3/Execution/CudaSession.h"
#include "nnet3/Execution/NativeRunner.h"

namespace mlir::nnet3 {

/// Compiles requests for one network to PTX and runs them on the first GPU.
/// Forward only; the network is used as it is. Its weights are on the device
/// once for all requests.
class CudaRunner : public RequestRunner {
public:
  /// Fails with an error where there is no GPU, or at the network if a
  /// descriptor is bad. `api` is that of this machine if it is null.
  static FailureOr<std::unique_ptr<CudaRunner>>
  create(NetworkOp network, const NativeOptions &options = {},
         const ::nnet3::rt::cuda::CudaApi *api = nullptr);

  FailureOr<std::unique_ptr<RequestInstance>>
  makeInstance(RequestOp request) override;

private:
  CudaRunner(NetworkOp network, NodeTable nodes, const NativeOptions &options,
             CudaSession session)
      : RequestRunner(network, std::move(nodes), options.cacheCapacity),
        options(options), session(std::move(session)) {}

  NativeOptions options;
  CudaSession session;
};

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_CUDARUNNER_H
