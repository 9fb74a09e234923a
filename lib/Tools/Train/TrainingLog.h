//===- TrainingLog.h - Kaldi's lines about training -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_TRAIN_TRAININGLOG_H
#define LIB_TOOLS_TRAIN_TRAININGLOG_H

#include "mlir/Support/LLVM.h"
#include "nnet3/runtime/Trainer.h"

#include <chrono>
#include <map>
#include <optional>

namespace mlir::nnet3 {

/// Adds objectives up, and prints the lines that Kaldi's scripts read. (spec:
/// nnet3bin.md 9)
class TrainingLog {
public:
  /// A line about the objective covers `printInterval` minibatches.
  explicit TrainingLog(int32_t printInterval) : printInterval(printInterval) {}

  /// Adds the next minibatch.
  void add(const ::nnet3::rt::TrainingStep &step);

  /// Says where the latest change of the parameters was limited.
  void printMaxChange(const ::nnet3::rt::MaxChangeCounts &counts,
                      float maxParamChange,
                      ArrayRef<std::string> componentNames) const;

  /// Prints the averages over all minibatches, and how often changes were
  /// limited. Returns whether there was anything to average.
  bool printTotal(const ::nnet3::rt::MaxChangeCounts &counts,
                  ArrayRef<std::string> componentNames) const;

  /// Shows on a terminal how far training has come, how fast it is, and how
  /// long it takes if `fraction` of the examples have been trained on.
  void showProgress(std::optional<double> fraction);

  int64_t getNumMinibatches() const { return numMinibatches; }

  /// Shows what the averages are made of.
  ::nnet3::rt::Status visitState(::nnet3::rt::StateVisitor &visitor);

private:
  struct Objective {
    ::nnet3::rt::OutputObjective total, inPhase;
    int64_t phase = 0, minibatchesInPhase = 0;
  };

  void printPhase(StringRef output, const Objective &objective) const;

  using Clock = std::chrono::steady_clock;

  int64_t printInterval;
  Clock::time_point start = Clock::now(), lastShown = start;
  /// Where training began or went on.
  std::optional<double> firstFraction;
  int64_t numMinibatches = 0;
  std::map<std::string, Objective> objectives;
};

} // namespace mlir::nnet3

#endif // LIB_TOOLS_TRAIN_TRAININGLOG_H
