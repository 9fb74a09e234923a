//===- RequestTrainer.h - What trains on minibatches of requests -*- C++
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//-*-===//
#ifndef NNET3_EXECUTION_REQUESTTRAINER_H
#define NNET3_EXECUTION_REQUESTTRAINER_H

#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"
#include "nnet3/runtime/Trainer.h"

#include "nnet3/runtime/Exchange.h"

#include <memory>

namespace mlir::nnet3 {

/// Trains the model of one network with minibatches of the shapes of requests.
class RequestTrainer {
public:
  virtual ~RequestTrainer() = default;

  /// The program to train with for `request`. Fails with an error at it.
  virtual FailureOr<std::shared_ptr<const ::nnet3::rt::Program>>
  prepare(RequestOp request) = 0;

  /// Trains on a minibatch of a program of prepare().
  virtual ::nnet3::rt::Result<::nnet3::rt::TrainingStep>
  train(const std::shared_ptr<const ::nnet3::rt::Program> &program,
        const ::nnet3::rt::Minibatch &minibatch) = 0;

  /// How often the parameter change has been limited.
  virtual const ::nnet3::rt::MaxChangeCounts &getMaxChangeCounts() const = 0;

  /// The model as it is now; valid until the next call.
  virtual ::nnet3::rt::Result<const ::nnet3::rt::Model *> getModel() = 0;

  /// What it adds to the model, and has learnt of gradients; null where that is
  /// on a GPU.
  virtual const ::nnet3::rt::Model *getDelta() { return nullptr; }

  /// Multiplies the learning rates, but not those that the model tells.
  virtual void scaleLearningRates(float) {}

  /// Replaces the model by the sum over processes of `share` times theirs.
  virtual void average(::nnet3::rt::Exchange &, double) {}

  /// Shows what training carries from step to step; fails where that is on a
  /// GPU.
  virtual ::nnet3::rt::Status visitState(::nnet3::rt::StateVisitor &) {
    return ::nnet3::rt::invalidArgument(
        "the state of training on a GPU cannot be saved");
  }
};

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_REQUESTTRAINER_H
