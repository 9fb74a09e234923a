//===- CpuTrainer.h - Training steps by the interpreter ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_PIPELINES_CPUTRAINER_H
#define NNET3_PIPELINES_CPUTRAINER_H

#include "nnet3/Pipelines/NnetRunner.h"
#include "nnet3/Pipelines/RequestTrainer.h"

namespace nnet3 {

class CpuTrainer : public RequestTrainer {
public:
  /// `interpreter` outlives it.
  CpuTrainer(NnetRunner &interpreter, const runtime::TrainerOptions &options)
      : interpreter(interpreter), options(options) {}

  mlir::FailureOr<std::shared_ptr<const runtime::Program>>
  prepare(mlir::nnet3::RequestOp request) override;

  runtime::Result<runtime::TrainingStep>
  train(const std::shared_ptr<const runtime::Program> &program,
        const runtime::Minibatch &minibatch) override {
    return trainer->train(program, minibatch);
  }

  runtime::Result<const runtime::Model *> getModel() override {
    return &static_cast<const runtime::Trainer &>(*trainer).model();
  }

private:
  NnetRunner &interpreter;
  runtime::TrainerOptions options;
  std::unique_ptr<runtime::Trainer> trainer; ///< null before prepare()
};

} // namespace nnet3

#endif // NNET3_PIPELINES_CPUTRAINER_H
