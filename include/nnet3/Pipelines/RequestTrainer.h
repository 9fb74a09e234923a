//===- RequestTrainer.h - What trains on minibatches of requests -*- C++
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//-*-===//
#ifndef NNET3_PIPELINES_REQUESTTRAINER_H
#define NNET3_PIPELINES_REQUESTTRAINER_H

#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"
#include "nnet3/runtime/Trainer.h"

#include <memory>

namespace nnet3 {

/// Trains the model of one network with minibatches of the shapes of requests.
class RequestTrainer {
public:
  virtual ~RequestTrainer() = default;

  /// The program to train with for `request`. Fails with an error at it.
  virtual mlir::FailureOr<std::shared_ptr<const runtime::Program>>
  prepare(mlir::nnet3::RequestOp request) = 0;

  /// Trains on a minibatch of a program of prepare().
  virtual runtime::Result<runtime::TrainingStep>
  train(const std::shared_ptr<const runtime::Program> &program,
        const runtime::Minibatch &minibatch) = 0;

  /// The model as it is now, after prepare(); valid until the next call.
  virtual runtime::Result<const runtime::Model *> getModel() = 0;
};

} // namespace nnet3

#endif // NNET3_PIPELINES_REQUESTTRAINER_H
