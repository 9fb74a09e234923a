//===- TrainingLog.cpp - Kaldi's log lines of training --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TrainingLog.h"
#include "ObjectiveSum.h"
#include "nnet3/Execution/TerminalLine.h"
#include "nnet3/Tools/Common/Program.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

static void print(const Twine &message) { printLog("nnet3-train", message); }

/// Formats "X over N frames."
static std::string showFrames(const rt::OutputObjective &sum) {
  return showAverage(sum) + " over " + showNumber(sum.objective.weight) +
         " frames.";
}

void TrainingLog::add(const rt::TrainingStep &step) {
  const int64_t phase = numMinibatches++ / printInterval;
  numRefused += step.refused;
  std::vector<rt::OutputObjective> outputs = step.objectives;
  llvm::sort(outputs,
             [](const auto &a, const auto &b) { return a.name < b.name; });
  for (const rt::OutputObjective &output : outputs) {
    Objective &objective = objectives[output.name];
    if (objective.phase != phase) {
      printPhase(output.name, objective);
      objective.phase = phase;
      objective.inPhase = {};
      objective.minibatchesInPhase = 0;
    }
    addTo(objective.total, output);
    addTo(objective.inPhase, output);
    ++objective.minibatchesInPhase;
  }
}

/// Formats ", 1:03:05 left"; empty if the time is unknown.
static std::string showTimeLeft(double seconds, double done, double fraction) {
  if (done <= 0)
    return "";
  const long long left = std::llround(seconds * (1 - fraction) / done);
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(
      ", %lld:%02lld:%02lld left", left / 3600, left / 60 % 60, left % 60);
  return text;
}

void TrainingLog::showProgress(std::optional<double> fraction) {
  const auto now = Clock::now();
  if (!firstFraction)
    firstFraction = fraction;
  if (now - lastShown < std::chrono::milliseconds(100) || objectives.empty())
    return;
  lastShown = now;
  const auto &[name, objective] = *objectives.begin();
  const double seconds = std::chrono::duration<double>(now - start).count();
  showOnTerminal(
      Twine(numMinibatches) + " minibatches, '" + name + "' " +
      showFrames(objective.inPhase) + " " +
      llvm::formatv("{0:F0}", objective.total.objective.weight / seconds)
          .str() +
      " frames/s" +
      (fraction ? showTimeLeft(seconds, *fraction - *firstFraction, *fraction)
                : ""));
}

void TrainingLog::printPhase(StringRef output,
                             const Objective &objective) const {
  if (objective.minibatchesInPhase == 0)
    return;
  const int64_t first = objective.phase * printInterval;
  std::string which = "for minibatches ";
  if (objective.minibatchesInPhase != printInterval)
    which = "using " + std::to_string(objective.minibatchesInPhase) +
            " minibatches in minibatch range ";
  ::print("Average objective function for '" + output + "' " + which +
          Twine(first) + "-" + Twine(first + printInterval - 1) + " is " +
          showFrames(objective.inPhase));
}

void TrainingLog::printMaxChange(const rt::MaxChangeCounts &counts,
                                 float maxParamChange,
                                 ArrayRef<std::string> componentNames) const {
  const rt::MaxChangeFactors &factors = counts.latest;
  std::string line;
  if (factors.component >= 0)
    line = llvm::formatv(
        "Per-component max-change active on {0} / {1} "
        "Updatable Components. (Smallest factor={2} on {3} "
        "with max-change={4}.)",
        factors.numActive, factors.numUpdatable, showNumber(factors.smallest),
        componentNames[factors.component], showNumber(factors.limit));
  if (factors.global != 1)
    line += (line.empty() ? "" : " ") +
            ("Global max-change factor was " + showNumber(factors.global)) +
            " with max-change=" + showNumber(maxParamChange) + ".";
  if (!line.empty())
    ::print(line);
}

static void printShare(const Twine &what, int64_t count, int64_t all) {
  if (count > 0)
    ::print(what + " max-change was enforced " +
            showNumber(100.0 * double(count) / double(all)) +
            " % of the time.");
}

bool TrainingLog::printTotal(const rt::MaxChangeCounts &counts,
                             ArrayRef<std::string> componentNames) const {
  if (numRefused > 0)
    printWarning("nnet3-train",
                 Twine(numRefused) + " of " + Twine(numMinibatches) +
                     " minibatches had a change of the parameters that was "
                     "not finite; it was not applied");
  bool any = false;
  for (const auto &[name, objective] : objectives) {
    if (objective.total.objective.weight == 0)
      continue;
    any = true;
    ::print("Overall average objective function for '" + name + "' is " +
            showFrames(objective.total));
    ::print("[this line is to be parsed by a script:] log-prob-per-frame=" +
            showNumber(objective.total.objective.value /
                       objective.total.objective.weight));
  }
  for (auto [index, count] : llvm::enumerate(counts.components))
    printShare("For " + componentNames[index] + ", per-component", count,
               counts.updates);
  printShare("The global", counts.global, counts.updates);
  return any;
}

static rt::Status visitSum(const std::string &prefix, rt::OutputObjective &sum,
                           rt::StateVisitor &visitor) {
  rt::Status status = visitor.visit(prefix + "value", sum.objective.value);
  if (status.ok())
    status = visitor.visit(prefix + "weight", sum.objective.weight);
  if (status.ok())
    status = visitor.visit(prefix + "auxiliary", sum.auxiliary);
  return status;
}

rt::Status TrainingLog::visitState(rt::StateVisitor &visitor) {
  std::vector<std::string> names;
  for (const auto &[name, objective] : objectives)
    names.push_back(name);
  rt::Status status = visitor.visit("log.minibatches", numMinibatches);
  if (status.ok())
    status = visitor.visit("log.refused", numRefused);
  if (status.ok())
    status = visitor.visit("log.outputs", names);
  for (size_t i = 0; i < names.size() && status.ok(); ++i) {
    Objective &objective = objectives[names[i]];
    const std::string prefix = "log." + names[i] + ".";
    status = visitSum(prefix + "total.", objective.total, visitor);
    if (status.ok())
      status = visitSum(prefix + "in_phase.", objective.inPhase, visitor);
    if (status.ok())
      status = visitor.visit(prefix + "phase", objective.phase);
    if (status.ok())
      status = visitor.visit(prefix + "minibatches_in_phase",
                             objective.minibatchesInPhase);
  }
  return status;
}
