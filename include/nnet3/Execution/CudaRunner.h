//===- CudaRunner.h - Requests by a GPU -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_EXECUTION_CUDARUNNER_H
#define NNET3_EXECUTION_CUDARUNNER_H

#include "nnet3/Execution/CudaSession.h"
#include "nnet3/Execution/NativeRunner.h"

namespace mlir::nnet3 {

/// Compiles requests for one network to PTX and runs them on the first GPU.
/// Supports forward passes only, and does not change the mode of the network.
/// All requests share the weights on the device.
class CudaRunner : public RequestRunner {
public:
  /// Emits an error if there is no GPU, or at the network if a descriptor is
  /// invalid. If `api` is null, the CUDA driver of this machine is used.
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
