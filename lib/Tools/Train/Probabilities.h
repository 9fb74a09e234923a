//===- Probabilities.h - Objectives and accuracy of outputs -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_TRAIN_PROBABILITIES_H
#define LIB_TOOLS_TRAIN_PROBABILITIES_H

#include "nnet3/runtime/Objective.h"
#include "nnet3/runtime/OutputSupervisor.h"

#include "llvm/ADT/StringRef.h"

#include <map>

namespace mlir::nnet3 {

/// How much of the supervision is in the columns that a network finds best.
struct Accuracy {
  /// The sums of the rows of the supervision, and those of rows where the
  /// output has the same best column.
  double total = 0, correct = 0;
  /// The same by the best column of the supervision, of the latest example
  /// alone: so does Kaldi.
  std::vector<double> latestTotal, latestCorrect;

  /// Errors where the shapes differ are errors of the objective.
  void add(::nnet3::rt::ConstMatrixView output,
           const ::nnet3::rt::SupervisionMatrix &supervision);
};

/// Adds up over examples, and prints the lines that Kaldi's scripts read.
/// (spec: nnet3bin.md 8, chain.md 8)
class Probabilities {
public:
  enum class Kind { Likelihood, Objective, Probability };

  void add(const ::nnet3::rt::OutputObjective &output, Kind kind);
  Accuracy &getAccuracy(const std::string &output) {
    return outputs[output].accuracy;
  }

  /// Prints all of it as lines of the log of `program`. Returns whether there
  /// was anything to average.
  bool print(llvm::StringRef program, bool withPerDimAccuracy) const;

  /// The objectives, by name.
  std::vector<::nnet3::rt::OutputObjective> getObjectives() const;

  struct Sum {
    double value = 0, weight = 0;
  };
  /// Of one output.
  Sum getSum(const std::string &output) const;
  /// Of all outputs, what is maximised beside the objectives included.
  Sum getTotal() const;

private:
  struct Output {
    Kind kind = Kind::Likelihood;
    ::nnet3::rt::OutputObjective sum;
    Accuracy accuracy;
  };

  std::map<std::string, Output> outputs;
};

} // namespace mlir::nnet3

#endif // LIB_TOOLS_TRAIN_PROBABILITIES_H
