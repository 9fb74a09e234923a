//===- RequestTrainer.h - Interface of trainers -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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

  /// Returns the program for training with `request`. On failure, emits an
  /// error at the request.
  virtual FailureOr<std::shared_ptr<const ::nnet3::rt::Program>>
  prepare(RequestOp request) = 0;

  /// Trains on a minibatch with a program that prepare() has returned.
  virtual ::nnet3::rt::Result<::nnet3::rt::TrainingStep>
  train(const std::shared_ptr<const ::nnet3::rt::Program> &program,
        const ::nnet3::rt::Minibatch &minibatch) = 0;

  /// Counts of how often the change of parameters was limited.
  virtual const ::nnet3::rt::MaxChangeCounts &getMaxChangeCounts() const = 0;

  /// Returns the current model; valid until the next call.
  virtual ::nnet3::rt::Result<const ::nnet3::rt::Model *> getModel() = 0;

  /// Returns the change of the model, with the state of natural gradient, as of
  /// the latest getModel().
  virtual const ::nnet3::rt::Model &getDelta() = 0;

  /// Multiplies the learning rates of training, but not those stored in the
  /// model.
  virtual void scaleLearningRates(float factor) = 0;

  /// Replaces the model by the sum over all processes of `share` times their
  /// models. Must follow a call of prepare().
  virtual ::nnet3::rt::Status average(::nnet3::rt::Exchange &exchange,
                                      double share) = 0;

  /// Visits the state that training keeps between steps.
  virtual ::nnet3::rt::Status
  visitState(::nnet3::rt::StateVisitor &visitor) = 0;
};

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_REQUESTTRAINER_H
