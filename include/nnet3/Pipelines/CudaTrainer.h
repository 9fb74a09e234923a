//===- CudaTrainer.h - Training steps by a GPU ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_PIPELINES_CUDATRAINER_H
#define NNET3_PIPELINES_CUDATRAINER_H

#include "nnet3/Pipelines/CudaSession.h"
#include "nnet3/Pipelines/NnetRunner.h"
#include "nnet3/Pipelines/RequestTrainer.h"
#include "nnet3/runtime/cuda/DeviceTrainer.h"

namespace nnet3 {

/// Compiles requests with a backward pass for training steps on the first GPU.
/// All train one model, that of the network.
class CudaTrainer : public RequestTrainer {
public:
  /// `interpreter`, of the network, has the programs that say what requests
  /// are, and how they are optimised; it outlives the trainer. Fails with an
  /// error where there is no GPU. `api` is that of this machine if it is null.
  static mlir::FailureOr<std::unique_ptr<CudaTrainer>>
  create(NnetRunner &interpreter, const runtime::TrainerOptions &options = {},
         const runtime::cuda::CudaApi *api = nullptr);

  /// The program to train with for `request`, compiled anew. It keeps no
  /// statistics of forward passes if the options do not want them, and then
  /// neither does `request` any more. Fails with an error at the request.
  mlir::FailureOr<std::shared_ptr<const runtime::Program>>
  prepare(mlir::nnet3::RequestOp request) override;

  runtime::Result<runtime::TrainingStep>
  train(const std::shared_ptr<const runtime::Program> &program,
        const runtime::Minibatch &minibatch) override {
    return trainer->train(program, minibatch);
  }

  runtime::Result<const runtime::Model *> getModel() override;

  /// Null before prepare().
  runtime::cuda::DeviceTrainer *getTrainer() { return trainer.get(); }

private:
  CudaTrainer(NnetRunner &interpreter, const runtime::TrainerOptions &options,
              CudaSession session)
      : interpreter(interpreter), options(options),
        session(std::move(session)) {}

  mlir::LogicalResult open(std::shared_ptr<const runtime::Program> program);

  NnetRunner &interpreter;
  runtime::TrainerOptions options;
  CudaSession session;
  std::unique_ptr<runtime::cuda::DeviceTrainer> trainer;
};

} // namespace nnet3

#endif // NNET3_PIPELINES_CUDATRAINER_H
