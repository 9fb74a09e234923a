//===- ShortcutCompilePass.cpp - Compile for two sequences, and expand ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: shortcut.md 1.
//
//===----------------------------------------------------------------------===//

#include "nnet3/Compile/Compile.h"
#include "nnet3/Compile/ForEachRequest.h"
#include "nnet3/Dialect/Nnet3/Analysis/DebugTypes.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Optimize/Pipeline.h"
#include "nnet3/Shortcut/ExpandComputation.h"
#include "nnet3/Shortcut/MiniRequest.h"
#include "nnet3/Shortcut/Passes.h"
#include "nnet3/Shortcut/RequestStride.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/Debug.h"

#define DEBUG_TYPE "nnet3-shortcut-compile"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3SHORTCUTCOMPILE
#include "nnet3/Shortcut/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {
struct ShortcutCompilePass
    : public nnet3::impl::Nnet3ShortcutCompileBase<ShortcutCompilePass> {
  using Base::Base;

  void runOnOperation() override;

private:
  LogicalResult addPipeline();
  LogicalResult compile(RequestOp request, NetworkOp network,
                        const NodeTable &nodes);
  FailureOr<ComputationOp> compileWith(RequestOp request, NetworkOp network,
                                       const NodeTable &nodes, bool expandable);
  ComputationOp compileMini(RequestOp request, NetworkOp network,
                            const NodeTable &nodes);
  ComputationOp expand(RequestOp request, NetworkOp network,
                       const NodeTable &nodes);

  SymbolTable *symbols = nullptr;
  OpPassManager pipeline{ComputationOp::getOperationName()};
  /// The computations for two sequences, keyed by the text of the request; null
  /// for requests that do not compile.
  llvm::StringMap<ComputationOp> minis;
  PassCount numExpanded{"computations expanded"};
  PassCount numMini{"requests compiled for two sequences"};
  PassCount numFull{"requests compiled in full"};
};
} // namespace

/// Adds the passes that run on compiled computations.
LogicalResult ShortcutCompilePass::addPipeline() {
  pipeline.clear();
  if (optimize)
    addOptimizePasses(pipeline, OptimizeOptions());
  std::string error;
  llvm::raw_string_ostream os(error);
  if (!passes.empty() && failed(parsePassPipeline(passes, pipeline, os)))
    return emitError(getOperation().getLoc(), "option passes: ")
           << StringRef(error).trim().take_until(
                  [](char c) { return c == '\n'; });
  return success();
}

/// Compiles and optimises `request`; the computation is appended to the module.
FailureOr<ComputationOp>
ShortcutCompilePass::compileWith(RequestOp request, NetworkOp network,
                                 const NodeTable &nodes, bool expandable) {
  CompileOptions options;
  options.debugInfo = debugInfo;
  options.expandable = expandable;
  options.foldSequences = foldSequences;
  OpBuilder builder(request->getContext());
  FailureOr<ComputationOp> computation =
      compileRequest(builder, network, nodes, request, options);
  if (failed(computation))
    return failure();
  symbols->insert(*computation);
  if (failed(runPipeline(pipeline, *computation))) {
    symbols->erase(*computation);
    return failure();
  }
  return *computation;
}

/// Returns the computation of `request` for two sequences. Null if it does not
/// compile; compiling the request itself then gives the better error.
ComputationOp ShortcutCompilePass::compileMini(RequestOp request,
                                               NetworkOp network,
                                               const NodeTable &nodes) {
  OwningOpRef<RequestOp> mini = createMiniRequest(request);
  mini->setSymName("mini");
  std::string text;
  llvm::raw_string_ostream(text) << *mini;
  auto [entry, isNew] = minis.try_emplace(text);
  if (!isNew)
    return entry->second;
  ScopedDiagnosticHandler silence(&getContext(),
                                  [](Diagnostic &) { return success(); });
  FailureOr<ComputationOp> computation =
      compileWith(*mini, network, nodes, /*expandable=*/true);
  if (succeeded(computation)) {
    entry->second = *computation;
    ++numMini;
  }
  return entry->second;
}

/// Computes the computation of `request` by the shortcut; null after a remark
/// if that is impossible.
ComputationOp ShortcutCompilePass::expand(RequestOp request, NetworkOp network,
                                          const NodeTable &nodes) {
  Obstacle obstacle{request, ""};
  std::optional<int64_t> count = getNumSequences(request, obstacle);
  ComputationOp expanded;
  if (count) {
    obstacle.op = request;
    OpBuilder builder(&getContext());
    if (ComputationOp mini = compileMini(request, network, nodes))
      expanded = expandComputation(builder, mini, *count, obstacle.reason);
    else
      obstacle.reason = "it cannot be compiled for two sequences";
  }
  if (expanded) {
    if (isDebugging(DEBUG_TYPE))
      llvm::dbgs() << "@" << request.getSymName() << ": expanded from 2 to "
                   << *count << " sequences\n";
    expanded.setSymName((request.getSymName() + "_computation").str());
    ++numExpanded;
    return expanded;
  }
  if (isDebugging(DEBUG_TYPE))
    llvm::dbgs() << "@" << request.getSymName()
                 << ": compiled in full: " << obstacle.reason << "\n";
  obstacle.op->emitRemark("request @")
      << request.getSymName() << " is compiled in full: " << obstacle.reason;
  return nullptr;
}

LogicalResult ShortcutCompilePass::compile(RequestOp request, NetworkOp network,
                                           const NodeTable &nodes) {
  ComputationOp computation = expand(request, network, nodes);
  if (computation) {
    symbols->insert(computation);
  } else {
    FailureOr<ComputationOp> full =
        compileWith(request, network, nodes, /*expandable=*/false);
    if (failed(full))
      return failure();
    computation = *full;
    ++numFull;
  }
  computation->moveAfter(request);
  return success();
}

void ShortcutCompilePass::runOnOperation() {
  SymbolTable table(getOperation());
  symbols = &table;
  minis.clear();
  if (failed(addPipeline()))
    return signalPassFailure();
  const auto compileOne = [&](RequestOp request, NetworkOp network,
                              const NodeTable &nodes) {
    return compile(request, network, nodes);
  };
  if (failed(forEachRequest(getOperation(), table, compileOne)))
    return signalPassFailure();
  for (auto &entry : minis)
    if (entry.second)
      table.erase(entry.second);
}
