//===- Probabilities.cpp - Objectives and accuracy of outputs -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Probabilities.h"
#include "ObjectiveSum.h"
#include "nnet3/Tools/Common/Program.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

static const float *getRow(const rt::ConstMatrixView &matrix, int32_t r,
                           std::vector<float> &) {
  return matrix.row(r);
}

/// Expands row `r` into `storage`.
static const float *getRow(const rt::SparseMatrixView &matrix, int32_t r,
                           std::vector<float> &storage) {
  storage.assign(matrix.cols, 0);
  for (int64_t i = matrix.rowBegin[r]; i < matrix.rowBegin[r + 1]; ++i)
    storage[matrix.columns[i]] += matrix.values[i];
  return storage.data();
}

void Accuracy::add(rt::ConstMatrixView output,
                   const rt::SupervisionMatrix &supervision) {
  latestTotal.assign(output.cols, 0);
  latestCorrect.assign(output.cols, 0);
  std::vector<float> storage;
  for (int32_t r = 0; r < output.rows; ++r) {
    const float *wanted = std::visit(
        [&](const auto &matrix) { return getRow(matrix, r, storage); },
        supervision);
    const float *found = output.row(r);
    const auto best = std::max_element(wanted, wanted + output.cols) - wanted;
    const double weight = std::accumulate(wanted, wanted + output.cols, 0.0);
    total += weight;
    latestTotal[best] += weight;
    if (std::max_element(found, found + output.cols) - found != best)
      continue;
    correct += weight;
    latestCorrect[best] += weight;
  }
}

void Probabilities::add(const rt::OutputObjective &output, Kind kind) {
  Output &entry = outputs[output.name];
  entry.kind = kind;
  addTo(entry.sum, output);
}

static const char *getName(Probabilities::Kind kind) {
  switch (kind) {
  case Probabilities::Kind::Likelihood:
    return "log-likelihood";
  case Probabilities::Kind::Objective:
    return "objective";
  case Probabilities::Kind::Probability:
    return "log-probability";
  }
  llvm_unreachable("all kinds are handled");
}

/// Columns without supervision are -1.
static std::string showPerDim(const Accuracy &accuracy) {
  std::string text = " [ ";
  for (auto [total, correct] :
       llvm::zip(accuracy.latestTotal, accuracy.latestCorrect))
    text += showNumber(total > 0 ? correct / total : -1) + " ";
  return text + "]";
}

bool Probabilities::print(llvm::StringRef program,
                          bool withPerDimAccuracy) const {
  bool any = false;
  for (const auto &[name, output] : outputs) {
    const double weight = output.sum.objective.weight;
    if (weight == 0)
      continue;
    any = true;
    printLog(program, llvm::Twine("Overall ") + getName(output.kind) +
                          " for '" + name + "' is " + showAverage(output.sum) +
                          " per frame, over " + showNumber(weight) +
                          " frames.");
    const double total = output.accuracy.total;
    if (total == 0)
      continue;
    printLog(program, "Overall accuracy for '" + name + "' is " +
                          showNumber(output.accuracy.correct / total) +
                          " per frame, over " + showNumber(total) + " frames.");
    if (withPerDimAccuracy)
      printLog(program, "Overall per-dim accuracy vector for '" + name +
                            "' is" + showPerDim(output.accuracy) +
                            " per frame, over " + showNumber(total) +
                            " frames.");
  }
  return any;
}

std::vector<rt::OutputObjective> Probabilities::getObjectives() const {
  std::vector<rt::OutputObjective> result;
  for (const auto &[name, output] : outputs) {
    result.push_back(output.sum);
    result.back().name = name;
  }
  return result;
}

Probabilities::Sum Probabilities::getSum(const std::string &output) const {
  auto found = outputs.find(output);
  if (found == outputs.end())
    return Sum();
  const rt::ObjectiveValue &sum = found->second.sum.objective;
  return {sum.value, sum.weight};
}

Probabilities::Sum Probabilities::getTotal() const {
  Sum total;
  for (const auto &[name, output] : outputs) {
    total.value += output.sum.objective.value + output.sum.auxiliary;
    total.weight += output.sum.objective.weight;
  }
  return total;
}
