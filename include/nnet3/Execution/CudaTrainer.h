//===- CudaTrainer.h - Training steps by a GPU ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_EXECUTION_CUDATRAINER_H
#define NNET3_EXECUTION_CUDATRAINER_H

#include "nnet3/Execution/CudaSession.h"
#include "nnet3/Execution/NnetRunner.h"
#include "nnet3/Execution/RequestTrainer.h"
#include "nnet3/runtime/cuda/DeviceTrainer.h"

namespace mlir::nnet3 {

/// Compiles requests with a backward pass, and runs their training steps on a
/// GPU. All requests train the network's model.
class CudaTrainer : public RequestTrainer {
public:
  /// `interpreter` provides the network, the programs of requests, and the
  /// optimisation options; it must outlive the trainer. Emits an error if there
  /// is no GPU, or if an option is out of range. If `api` is null, the CUDA
  /// driver is loaded. Processes of one machine take its GPUs in turn;
  /// `process` is the number of this one.
  static FailureOr<std::unique_ptr<CudaTrainer>>
  create(NnetRunner &interpreter,
         const ::nnet3::rt::TrainerOptions &options = {},
         const ::nnet3::rt::cuda::CudaApi *api = nullptr, int process = 0);

  /// Compiles the program for `request`. If the options disable statistics of
  /// forward passes, also removes them from `request`. On failure, emits an
  /// error at the request.
  FailureOr<std::shared_ptr<const ::nnet3::rt::Program>>
  prepare(RequestOp request) override;

  ::nnet3::rt::Result<::nnet3::rt::TrainingStep>
  train(const std::shared_ptr<const ::nnet3::rt::Program> &program,
        const ::nnet3::rt::Minibatch &minibatch) override {
    return trainer->train(program, minibatch);
  }

  const ::nnet3::rt::MaxChangeCounts &getMaxChangeCounts() const override {
    return trainer->maxChangeCounts();
  }

  ::nnet3::rt::Result<const ::nnet3::rt::Model *> getModel() override;

  const ::nnet3::rt::Model &getDelta() override { return trainer->delta(); }

  void scaleLearningRates(float factor) override {
    trainer->scaleLearningRates(factor);
  }

  ::nnet3::rt::Status average(::nnet3::rt::Exchange &exchange,
                              double share) override {
    return trainer->average(exchange, static_cast<float>(share));
  }

  ::nnet3::rt::Status visitState(::nnet3::rt::StateVisitor &visitor) override {
    return trainer->visitState(visitor);
  }

  ::nnet3::rt::cuda::DeviceTrainer &getTrainer() { return *trainer; }

private:
  CudaTrainer(NnetRunner &interpreter,
              const ::nnet3::rt::TrainerOptions &options, CudaSession session,
              std::unique_ptr<::nnet3::rt::cuda::DeviceTrainer> trainer)
      : interpreter(interpreter),
        storeComponentStats(options.storeComponentStats),
        isShared(options.isShared()), session(std::move(session)),
        trainer(std::move(trainer)) {}

  NnetRunner &interpreter;
  bool storeComponentStats;
  /// Whether processes share minibatches. A small one is not shared, but may be
  /// of the same shape as the part of a larger one.
  bool isShared;
  CudaSession session;
  std::unique_ptr<::nnet3::rt::cuda::DeviceTrainer> trainer;
};

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_CUDATRAINER_H
