//===- TrainingSteps.h - Comparison of training steps -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_PROPERTY_EXECUTION_TRAININGSTEPS_H
#define NNET3_PROPERTY_EXECUTION_TRAININGSTEPS_H

#include "Networks/Case.h"
#include "Twin.h"

#include "nnet3/Execution/NnetRunner.h"
#include "nnet3/runtime/Trainer.h"

namespace mlir::nnet3::property {

/// Returns the request with parameter derivatives only.
std::unique_ptr<Case> makeTraining(const Case &test);

/// Draws options, each of which has an effect in some cases.
::nnet3::rt::TrainerOptions drawOptions(uint64_t seed);

/// Returns true if a step changes the model.
bool trains(const Case &test);

/// Lets `twin` have the other half of minibatches, unless a component of the
/// request does not train on parts of them.
void shareMinibatches(NnetRunner &interpreter, RequestOp request, Twin &twin,
                      ::nnet3::rt::TrainerOptions &options);

/// A trainer that is compared with the interpreter.
class OtherTrainer {
public:
  virtual ~OtherTrainer() = default;
  virtual void setUnderlyingLearningRate(float rate) = 0;
  virtual ::nnet3::rt::Result<::nnet3::rt::TrainingStep>
  train(const ::nnet3::rt::Minibatch &minibatch) = 0;
  /// Called after all steps.
  virtual const ::nnet3::rt::Model &getModel() = 0;
  virtual const ::nnet3::rt::MaxChangeCounts &getMaxChangeCounts() = 0;
};

/// Runs some steps of the interpreter on `program` and of `other`; compares
/// objectives, parameters and statistics. With `isRounded`, matrices for the
/// backward pass are rounded to integers.
void compareSteps(Case &test,
                  const std::shared_ptr<const ::nnet3::rt::Program> &program,
                  OtherTrainer &other,
                  const ::nnet3::rt::TrainerOptions &options, bool isRounded);

} // namespace mlir::nnet3::property

#endif // NNET3_PROPERTY_EXECUTION_TRAININGSTEPS_H
