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

/// Accuracy of an output: the supervision whose best column is also the
/// output's.
struct Accuracy {
  /// The sum of all rows of the supervision, and of those with the same best
  /// column as the output.
  double total = 0, correct = 0;
  /// `total` and `correct` per best column of the supervision, only for the
  /// latest example, as in Kaldi.
  std::vector<double> latestTotal, latestCorrect;

  /// Adds an example, whose shapes must be equal: the objective has checked
  /// them.
  void add(::nnet3::rt::ConstMatrixView output,
           const ::nnet3::rt::SupervisionMatrix &supervision);
};

/// Sums objectives up over examples, and prints the lines that Kaldi's scripts
/// read. (spec: nnet3bin.md 8, chain.md 8)
class Probabilities {
public:
  enum class Kind { Likelihood, Objective, Probability };

  void add(const ::nnet3::rt::OutputObjective &output, Kind kind);
  Accuracy &getAccuracy(const std::string &output) {
    return outputs[output].accuracy;
  }

  /// Prints all results as log lines of `program`. Returns true if there were
  /// any.
  bool print(llvm::StringRef program, bool withPerDimAccuracy) const;

  /// Returns the objectives, sorted by name.
  std::vector<::nnet3::rt::OutputObjective> getObjectives() const;

  struct Sum {
    double value = 0, weight = 0;
  };
  /// Returns the sum of one output.
  Sum getSum(const std::string &output) const;
  /// Returns the sum of all outputs, including auxiliary objectives.
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
