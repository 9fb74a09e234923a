//===- TrainingLog.h - Kaldi's log lines of training ------------*- C++ -*-===//
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

/// Sums up objectives and prints the lines that Kaldi's scripts read. (spec:
/// nnet3bin.md 9)
class TrainingLog {
public:
  /// A line about the objective covers `printInterval` minibatches.
  explicit TrainingLog(int32_t printInterval) : printInterval(printInterval) {}

  /// Adds a minibatch.
  void add(const ::nnet3::rt::TrainingStep &step);

  /// Prints which limits the latest change of the parameters has hit.
  void printMaxChange(const ::nnet3::rt::MaxChangeCounts &counts,
                      float maxParamChange,
                      ArrayRef<std::string> componentNames) const;

  /// Prints the averages over all minibatches, and how often changes were
  /// limited. Returns true if there were any minibatches.
  bool printTotal(const ::nnet3::rt::MaxChangeCounts &counts,
                  ArrayRef<std::string> componentNames) const;

  /// Shows the progress, speed and remaining time on a terminal; `fraction` is
  /// the share of the examples that have been used.
  void showProgress(std::optional<double> fraction);

  int64_t getNumMinibatches() const { return numMinibatches; }

  /// Passes the sums behind the averages to the visitor.
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
  /// The fraction at which training started or resumed.
  std::optional<double> firstFraction;
  int64_t numMinibatches = 0, numRefused = 0;
  std::map<std::string, Objective> objectives;
};

} // namespace mlir::nnet3

#endif // LIB_TOOLS_TRAIN_TRAININGLOG_H
