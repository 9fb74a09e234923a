//===- Trainer.h - The training step --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: execution.md 3.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_TRAINER_H
#define NNET3_RUNTIME_TRAINER_H

#include "nnet3/runtime/Exchange.h"
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

/// Options of training, with Kaldi's names and defaults.
struct TrainerOptions {
  /// Whether components keep statistics of the forward pass, if the program has
  /// store_stats commands.
  bool storeComponentStats = true;
  /// Whether all statistics are set to zero at the start.
  bool zeroComponentStats = true;
  /// At least 0, less than 1.
  float momentum = 0;
  float l2RegularizeFactor = 1;
  /// Limit of the 2-norm of the parameter change per minibatch; 0 = none.
  float maxParamChange = 2;
  /// From 0 to 1.
  float batchnormStatsScale = 0.8f;
  /// 0 = no backstitch. Not supported with momentum.
  float backstitchTrainingScale = 0;
  /// Minibatch i, counted from 0, is trained with backstitch if i and the seed
  /// are equal modulo this interval.
  int32_t backstitchTrainingInterval = 1;
  /// Accumulate exact gradients in delta() and change no parameters.
  bool gradientOnly = false;
  /// Seed of random components and of the orthonormal constraint.
  uint64_t seed = 0;
  RandomDraws randomDraws = RandomDraws::Normal;
  /// Limit of the memory of all instances; the least recently used ones are
  /// destroyed beyond it. Does not change the results.
  uint64_t maxInstanceBytes = uint64_t(8) << 30;
  /// All-reduce over processes that train together, each on some sequences of
  /// each minibatch; objectives are summed, too. Borrowed; null for one
  /// process.
  Exchange *exchange = nullptr;
  /// Whether there are other processes, at present.
  bool isShared() const { return exchange && exchange->size() > 1; }
  /// Number of threads that share the update of the parameters. Does not change
  /// the results. On the CPU only.
  int32_t numThreads = 1;
  /// Creates the instance for each shape of minibatches. On the CPU only.
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
  /// Supervision of all outputs whose derivative the program reads.
  std::vector<NamedSupervision> supervision;
  /// If not null, computes all objectives on the CPU, and `supervision` is
  /// empty.
  const OutputSupervisor *supervisor = nullptr;
};

struct TrainingStep {
  /// In the order of the program's outputs.
  std::vector<OutputObjective> objectives;
  /// The change of the parameters was not finite and was discarded.
  bool refused = false;
};

/// Scales that limits of the parameter change (max-change) applied to an
/// update.
struct MaxChangeFactors {
  int32_t numActive = 0;    ///< components whose own limit was active
  int32_t numUpdatable = 0; ///< updatable components
  /// The smallest factor of a component, the component's index (-1 if no limit
  /// was active), and its limit.
  double smallest = 1;
  int32_t component = -1;
  double limit = 0;
  double global = 1;
};

/// Counts of updates in which limits of the parameter change were active.
struct MaxChangeCounts {
  std::vector<int64_t> components; ///< per component; empty before any update
  int64_t global = 0;
  int64_t updates = 0;     ///< total; a step with backstitch has two
  MaxChangeFactors latest; ///< of the latest update
  /// 2-norm of each component's change in the latest update, after the limits.
  std::vector<double> latestChanges;
};

/// Trains a network by stochastic gradient ascent. Deterministic: the same
/// steps from the same seed give the same bits. Serves one thread at a time.
class Trainer {
public:
  ~Trainer();
  Trainer(const Trainer &) = delete;
  Trainer &operator=(const Trainer &) = delete;

  /// Creates a trainer that starts from the model of \p program. Errors:
  /// options out of range.
  static Result<std::unique_ptr<Trainer>>
  create(std::shared_ptr<const Program> program,
         const TrainerOptions &options = {});

  /// Trains on one minibatch. \p program is a program of the same network for
  /// the shape of the minibatch. Errors, which leave the model unchanged:
  /// another network; no backward part; inputs or supervision that are missing,
  /// unknown or of the wrong shape; l2 regularisation if the program does not
  /// have the indexes of its rows.
  Result<TrainingStep> train(const std::shared_ptr<const Program> &program,
                             const Minibatch &minibatch);

  /// Steps so far.
  int64_t numSteps() const;

  /// Sets the learning rates of all components: \p rate times their factors.
  void setUnderlyingLearningRate(float rate);
  /// Multiplies the learning rates that updates use, but not those that the
  /// model reports.
  void scaleLearningRates(float factor);

  Model &model();
  const Model &model() const;
  /// The accumulator of backward passes: the pending change of the model, or
  /// with gradientOnly the gradient.
  Model &delta();
  const Model &delta() const;
  const MaxChangeCounts &maxChangeCounts() const;

  /// Visits all state that steps change. A trainer of the same network and
  /// options that restores it continues bit-identically.
  Status visitState(StateVisitor &visitor);

private:
  struct Data;
  explicit Trainer(std::unique_ptr<Data> data);
  std::unique_ptr<Data> impl;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TRAINER_H
