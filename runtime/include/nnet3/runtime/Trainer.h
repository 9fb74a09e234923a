//===- Trainer.h - The training step --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: execution.md 3.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_TRAINER_H
#define NNET3_RUNTIME_TRAINER_H

#include "nnet3/runtime/Model.h"
#include "nnet3/runtime/Objective.h"
#include "nnet3/runtime/OutputSupervisor.h"
#include "nnet3/runtime/Runtime.h"
#include "nnet3/runtime/StepInstance.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace nnet3 {
namespace rt {

/// How to train; Kaldi's names and defaults.
struct TrainerOptions {
  /// Whether components keep statistics of the forward pass, where the program
  /// has the commands for it.
  bool storeComponentStats = true;
  /// Whether all statistics are set to zero at the start.
  bool zeroComponentStats = true;
  /// From 0 up to, but not including, 1.
  float momentum = 0;
  float l2RegularizeFactor = 1;
  /// Limit of the 2-norm of the change that one minibatch makes; 0 = none.
  float maxParamChange = 2;
  /// From 0 to 1.
  float batchnormStatsScale = 0.8f;
  /// 0 = no backstitch. Goes without momentum only.
  float backstitchTrainingScale = 0;
  /// Backstitch is for minibatch i, counted from 0, where i and the seed leave
  /// the same remainder.
  int32_t backstitchTrainingInterval = 1;
  /// Change no parameters, but add up exact gradients in delta().
  bool gradientOnly = false;
  /// Of random components, and of the orthonormal constraint.
  uint64_t seed = 0;
  RandomDraws randomDraws = RandomDraws::Normal;
  /// Instances that have not been used for long are given up when all of them
  /// together have more bytes than this. Has no effect on results.
  uint64_t maxInstanceBytes = uint64_t(8) << 30;
  /// Sums over processes that train together, each on some sequences of each
  /// minibatch; objectives are those of all. Borrowed; null for one process. On
  /// the CPU only.
  Exchange *exchange = nullptr;
  /// Makes what computes minibatches of each shape. On the CPU only.
  StepInstanceFactory makeInstance = interpretSteps;
};

struct NamedMatrix {
  std::string_view name;
  ConstMatrixView value;
};

struct NamedSupervision {
  std::string_view name; ///< of an output
  SupervisionMatrix value;
};

/// Borrowed data of one step.
struct Minibatch {
  std::vector<NamedMatrix> inputs;
  /// Of all outputs of which the program takes the derivative.
  std::vector<NamedSupervision> supervision;
  /// If there is one, it gives all objectives and `supervision` is empty. Not
  /// for training on GPUs.
  const OutputSupervisor *supervisor = nullptr;
};

struct TrainingStep {
  /// In the order of the program's outputs.
  std::vector<OutputObjective> objectives;
  /// Where the change of the parameters was not finite, so that there was none.
  bool refused = false;
};

/// What the limits of the parameter change did to one update.
struct MaxChangeFactors {
  int32_t numActive = 0;    ///< components whose own limit was active
  int32_t numUpdatable = 0; ///< components
  /// The least factor of a component, which one (-1 if none was active), and
  /// its limit.
  double smallest = 1;
  int32_t component = -1;
  double limit = 0;
  double global = 1;
};

/// How often the limits of the parameter change were active.
struct MaxChangeCounts {
  std::vector<int64_t> components; ///< each its own; empty before any update
  int64_t global = 0;
  int64_t updates = 0;     ///< in all; a step with backstitch has two
  MaxChangeFactors latest; ///< of the latest update
  /// The 2-norms of the components' changes in it, behind the limits.
  std::vector<double> latestChanges;
};

/// Trains a network by stochastic gradient ascent. Deterministic: the same
/// steps from the same seed give the same bits. Serves one thread at a time.
class Trainer {
public:
  ~Trainer();
  Trainer(const Trainer &) = delete;
  Trainer &operator=(const Trainer &) = delete;

  /// Begins with the model of \p program. Errors: options out of their range.
  static Result<std::unique_ptr<Trainer>>
  create(std::shared_ptr<const Program> program,
         const TrainerOptions &options = {});

  /// Trains on one minibatch, of the shape of \p program, which is a program of
  /// the same network that updates the model. Errors leave the model unchanged:
  /// another network; no backward part; inputs or supervision that are missing,
  /// unknown or of another shape; l2 regularisation where the program does not
  /// tell its sequences.
  Result<TrainingStep> train(const std::shared_ptr<const Program> &program,
                             const Minibatch &minibatch);

  /// Steps so far.
  int64_t numSteps() const;

  /// Sets the learning rates of all components: \p rate times their factors.
  void setUnderlyingLearningRate(float rate);
  /// Multiplies the learning rates, but not those that the model tells.
  void scaleLearningRates(float factor);

  Model &model();
  const Model &model() const;
  /// Where backward passes add up what is to be added to the model; with
  /// gradientOnly the gradient.
  Model &delta();
  const Model &delta() const;
  const MaxChangeCounts &maxChangeCounts() const;

  /// Shows all that steps change: with it, another trainer of the same network
  /// and options goes on as this one would, to the bit.
  Status visitState(StateVisitor &visitor);

private:
  struct Data;
  explicit Trainer(std::unique_ptr<Data> data);
  std::unique_ptr<Data> impl;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TRAINER_H
