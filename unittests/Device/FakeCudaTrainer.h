//===- FakeCudaTrainer.h - Training on a fake GPU ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_DEVICE_FAKECUDATRAINER_H
#define NNET3_UNITTESTS_DEVICE_FAKECUDATRAINER_H

#include "HostKernels.h"

#include "nnet3/Execution/CudaTrainer.h"

namespace mlir::nnet3::test {

/// A CudaTrainer on a fake driver, which gets the kernels of a request before
/// they are loaded.
class FakeCudaTrainer : public RequestTrainer {
public:
  /// `interpreter`, `cuda` and `emulator`, which may be null, must outlive the
  /// trainer.
  static FailureOr<std::unique_ptr<RequestTrainer>>
  create(NnetRunner &interpreter, const ::nnet3::rt::TrainerOptions &options,
         ::nnet3::rt::test::FakeCuda &cuda, GpuEmulator *emulator);

  FailureOr<std::shared_ptr<const ::nnet3::rt::Program>>
  prepare(RequestOp request) override;

  ::nnet3::rt::Result<::nnet3::rt::TrainingStep>
  train(const std::shared_ptr<const ::nnet3::rt::Program> &program,
        const ::nnet3::rt::Minibatch &minibatch) override {
    return inner->train(program, minibatch);
  }
  const ::nnet3::rt::MaxChangeCounts &getMaxChangeCounts() const override {
    return inner->getMaxChangeCounts();
  }
  ::nnet3::rt::Result<const ::nnet3::rt::Model *> getModel() override {
    return inner->getModel();
  }
  const ::nnet3::rt::Model &getDelta() override { return inner->getDelta(); }
  void scaleLearningRates(float factor) override {
    inner->scaleLearningRates(factor);
  }
  ::nnet3::rt::Status average(::nnet3::rt::Exchange &exchange,
                              double share) override {
    return inner->average(exchange, share);
  }
  ::nnet3::rt::Status visitState(::nnet3::rt::StateVisitor &visitor) override {
    return inner->visitState(visitor);
  }

private:
  FakeCudaTrainer(NnetRunner &interpreter, bool isShared,
                  ::nnet3::rt::test::FakeCuda &cuda, GpuEmulator *emulator)
      : interpreter(interpreter), isShared(isShared), cuda(cuda),
        emulator(emulator) {}

  void add(std::unique_ptr<HostKernels> kernels);

  NnetRunner &interpreter;
  bool isShared;
  ::nnet3::rt::test::FakeCuda &cuda;
  GpuEmulator *emulator;
  std::vector<std::unique_ptr<HostKernels>> kernels;
  std::unique_ptr<CudaTrainer> inner;
};

} // namespace mlir::nnet3::test

#endif // NNET3_UNITTESTS_DEVICE_FAKECUDATRAINER_H
