//===- CpuTrainer.h - Training steps by the interpreter ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_EXECUTION_CPUTRAINER_H
#define NNET3_EXECUTION_CPUTRAINER_H

#include "nnet3/Execution/NnetRunner.h"
#include "nnet3/Execution/RequestTrainer.h"

namespace mlir::nnet3 {

class CpuTrainer : public RequestTrainer {
public:
  /// `interpreter` must outlive the trainer. On failure, also if an option is
  /// out of range, emits an error at the network.
  static FailureOr<std::unique_ptr<CpuTrainer>>
  create(NnetRunner &interpreter, const ::nnet3::rt::TrainerOptions &options);

  FailureOr<std::shared_ptr<const ::nnet3::rt::Program>>
  prepare(RequestOp request) override {
    return interpreter.load(request);
  }

  ::nnet3::rt::Result<::nnet3::rt::TrainingStep>
  train(const std::shared_ptr<const ::nnet3::rt::Program> &program,
        const ::nnet3::rt::Minibatch &minibatch) override {
    return trainer->train(program, minibatch);
  }

  const ::nnet3::rt::MaxChangeCounts &getMaxChangeCounts() const override {
    return trainer->maxChangeCounts();
  }

  ::nnet3::rt::Result<const ::nnet3::rt::Model *> getModel() override {
    return &static_cast<const ::nnet3::rt::Trainer &>(*trainer).model();
  }

  const ::nnet3::rt::Model &getDelta() override { return trainer->delta(); }

  void scaleLearningRates(float factor) override {
    trainer->scaleLearningRates(factor);
  }

  ::nnet3::rt::Status average(::nnet3::rt::Exchange &exchange,
                              double share) override {
    trainer->model().average(exchange, static_cast<float>(share));
    return {};
  }

  ::nnet3::rt::Status visitState(::nnet3::rt::StateVisitor &visitor) override {
    return trainer->visitState(visitor);
  }

protected:
  /// On failure, emits an error at the network.
  static FailureOr<std::unique_ptr<::nnet3::rt::Trainer>>
  createTrainer(NnetRunner &interpreter,
                const ::nnet3::rt::TrainerOptions &options);

  int64_t getNumSteps() const { return trainer->numSteps(); }

  CpuTrainer(NnetRunner &interpreter,
             std::unique_ptr<::nnet3::rt::Trainer> trainer)
      : interpreter(interpreter), trainer(std::move(trainer)) {}

  NnetRunner &interpreter;

private:
  std::unique_ptr<::nnet3::rt::Trainer> trainer;
};

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_CPUTRAINER_H
