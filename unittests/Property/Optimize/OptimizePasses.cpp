//===- OptimizePasses.cpp - Lists of optimisations ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OptimizePasses.h"

#include "nnet3/Loops/Passes.h"
#include "nnet3/Optimize/Passes.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;

static constexpr char kChecker[] = "nnet3-check-computation";

PassList mlir::nnet3::property::getPipeline(const OptimizeOptions &options) {
  mlir::OpPassManager manager(ComputationOp::getOperationName());
  addOptimizePasses(manager, options);
  PassList passes;
  for (mlir::Pass &pass : manager.getPasses()) {
    llvm::raw_string_ostream os(passes.emplace_back());
    pass.printAsTextualPipeline(os);
  }
  return passes;
}

PassList mlir::nnet3::property::drawSwitches(Random &random) {
  OptimizeOptions options;
  double probability = random.real(0, 1);
  options.forEach([&](llvm::StringRef name, bool &value, llvm::StringRef) {
    if (name != "optimize")
      value = !random.chance(probability);
  });
  // Level 2 changes numbers.
  options.memoryCompressionLevel = random.between(0, 1);
  return getPipeline(options);
}

/// Returns true for passes that change allocations or zero-filling. They must
/// be last: merging matrices requires that all allocations precede the uses,
/// and that matrices that are added to begin with zeros (spec: optimize.md 3).
/// Other passes may run in any order.
static bool isStoragePass(const std::string &pass) {
  return pass == "nnet3-remove-unnecessary-zeroing" ||
         pass == "nnet3-move-sizing-commands" ||
         pass == "nnet3-remove-unnecessary-allocation" ||
         llvm::StringRef(pass).starts_with("nnet3-compress-memory");
}

/// Returns true if a pass may run twice. Components must have a single update,
/// so nnet3-consolidate-model-update may not (spec: optimize.md 4.2).
static bool mayRepeat(const std::string &pass) {
  return pass != "nnet3-consolidate-model-update";
}

PassList mlir::nnet3::property::drawOrder(Random &random) {
  PassList passes, storage;
  for (const std::string &pass : getPipeline()) {
    PassList &list = isStoragePass(pass) ? storage : passes;
    for (int i = 0; i < (mayRepeat(pass) ? 2 : 1); ++i)
      if (random.chance(0.5))
        list.push_back(pass);
  }
  random.shuffle(passes);
  passes.insert(passes.end(), storage.begin(), storage.end());
  return passes;
}

static std::string join(const PassList &passes, const std::string &separator) {
  return llvm::join(passes, separator);
}

std::string mlir::nnet3::property::runPasses(ComputationOp computation,
                                             const PassList &passes) {
  [[maybe_unused]] static bool isRegistered = [] {
    registerNnet3OptimizePasses();
    registerNnet3LoopsPasses();
    return true;
  }();
  std::string error;
  mlir::ScopedDiagnosticHandler handler(computation.getContext(),
                                        [&](mlir::Diagnostic &diagnostic) {
                                          error += diagnostic.str() + "\n";
                                          return mlir::success();
                                        });
  PassList checked;
  bool check = mlir::PassInfo::lookup(kChecker);
  if (check)
    checked.push_back(kChecker);
  for (const std::string &pass : passes) {
    checked.push_back(pass);
    if (check)
      checked.push_back(kChecker);
  }
  std::string text = join(checked, ",");
  mlir::PassManager manager(computation.getContext(),
                            ComputationOp::getOperationName());
  llvm::raw_string_ostream os(error);
  if (!checked.empty() &&
      mlir::failed(mlir::parsePassPipeline(text, manager, os)))
    return "no such passes: " + error;
  if (mlir::failed(manager.run(computation)))
    return "a pass fails: " + error;
  return "";
}

bool mlir::nnet3::property::roundsMatrices(ComputationOp computation) {
  return llvm::any_of(
      computation.getOps<CompressMatrixOp>(),
      [](CompressMatrixOp op) { return !op.getRange().isZero(); });
}

std::string mlir::nnet3::property::getCommand(const std::string &compiler,
                                              const std::string &options,
                                              const PassList &passes) {
  return "nnet3-opt --pass-pipeline='builtin.module(" + compiler + "{" +
         options + " },nnet3.computation(" + join(passes, ",") +
         "))' case.mlir";
}
