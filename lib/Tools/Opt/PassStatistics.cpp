//===- PassStatistics.cpp - What passes make of computations --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/PassStatistics.h"
#include "nnet3/Dialect/Nnet3/Analysis/ComputationSize.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Format.h"
#include <map>

using namespace mlir;
using namespace mlir::nnet3;

namespace {
/// What one run of a pass made of a computation.
struct Line {
  std::string pass;
  ComputationSize before, after;
  PassCounts counts;
};
} // namespace

/// The computations in `op`, or itself.
static SmallVector<ComputationOp> getComputations(Operation *op) {
  if (auto computation = dyn_cast<ComputationOp>(op))
    return {computation};
  if (auto module = dyn_cast<ModuleOp>(op))
    return llvm::to_vector(module.getOps<ComputationOp>());
  return {};
}

namespace mlir::nnet3 {

/// By the names of computations; "" has what passes over the whole module
/// count.
struct PassStatistics::Tables
    : llvm::MapVector<std::string, std::vector<Line>,
                      std::map<std::string, unsigned>> {};

/// The pass manager calls these one at a time, before and behind a pass on the
/// same thread.
class PassStatistics::Watcher : public PassInstrumentation {
public:
  explicit Watcher(Tables &tables) : tables(tables) {}

  void runBeforePass(Pass *pass, Operation *op) override {
    // Passes on computations may run side by side.
    for (ComputationOp computation : getComputations(op))
      (void)tables[computation.getSymName().str()];
    if (!isWatched(pass))
      return;
    Running &run = *running.emplace_back(std::make_unique<Running>());
    for (ComputationOp computation : getComputations(op))
      run.before[computation.getSymName()] = ComputationSize::get(computation);
    run.outer = std::exchange(PassCount::collector, &run.counts);
  }

  void runAfterPass(Pass *pass, Operation *op) override {
    if (!isWatched(pass))
      return;
    std::unique_ptr<Running> run = end();
    std::string name = pass->getArgument().str();
    for (ComputationOp computation : getComputations(op)) {
      Line line{name,
                run->before.lookup(computation.getSymName()),
                ComputationSize::get(computation),
                {}};
      if (op == computation)
        line.counts = run->counts;
      add(computation.getSymName(), std::move(line));
    }
    if (isa<ModuleOp>(op))
      add("", {name, {}, {}, run->counts});
  }

  void runAfterPassFailed(Pass *pass, Operation *) override {
    if (isWatched(pass))
      end();
  }

private:
  /// A pass that runs, maybe within another one.
  struct Running {
    llvm::StringMap<ComputationSize> before;
    PassCounts counts, *outer;
  };

  /// What runs other passes has no name.
  static bool isWatched(Pass *pass) { return !pass->getArgument().empty(); }

  static std::unique_ptr<Running> end() {
    std::unique_ptr<Running> run = running.pop_back_val();
    PassCount::collector = run->outer;
    return run;
  }

  void add(StringRef computation, Line line) {
    if (!(line.before == line.after) || !line.counts.empty())
      tables[computation.str()].push_back(std::move(line));
  }

  Tables &tables;
  static thread_local SmallVector<std::unique_ptr<Running>> running;
};

thread_local SmallVector<std::unique_ptr<PassStatistics::Watcher::Running>>
    PassStatistics::Watcher::running;

PassStatistics::PassStatistics() : tables(std::make_unique<Tables>()) {}
PassStatistics::~PassStatistics() = default;

void PassStatistics::watch(PassManager &manager) {
  manager.addInstrumentation(std::make_unique<Watcher>(*tables));
}

static void print(raw_ostream &os, const PassCounts &counts) {
  llvm::interleaveComma(counts, os, [&](const auto &count) {
    os << count.second << " " << count.first;
  });
}

/// The line of one pass, in the columns of the title.
static void print(raw_ostream &os, const Line &line) {
  const ComputationSize &a = line.before, &b = line.after;
  using Number = long long;
  os << llvm::format("  %-35s %6lld -> %6lld %8lld %8lld %10lld %10lld",
                     line.pass.c_str(), Number(a.commands), Number(b.commands),
                     Number(a.commands - b.commands),
                     Number(a.matrices - b.matrices), Number(a.peak - b.peak),
                     Number(a.bytes - b.bytes));
  if (!line.counts.empty())
    print(os << "  ", line.counts);
  os << "\n";
}

void PassStatistics::print(raw_ostream &os) const {
  for (const auto &[name, lines] : *tables) {
    if (lines.empty())
      continue;
    if (name.empty()) {
      os << "passes over the module\n";
      for (const Line &line : lines) {
        ::print(os << llvm::format("  %-35s ", line.pass.c_str()), line.counts);
        os << "\n";
      }
      continue;
    }
    os << "passes over @" << name << ", and what each saves\n"
       << llvm::format("  %-35s %16s %8s %8s %10s %10s\n", "", "commands",
                       "commands", "matrices", "peak bytes", "bytes");
    for (const Line &line : lines)
      ::print(os, line);
  }
}

} // namespace mlir::nnet3
