//===- ShortcutFrames.cpp - Compile few frames and expand -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Compile/ForEachRequest.h"
#include "nnet3/Compile/SequenceBlock.h"
#include "nnet3/Dialect/Nnet3/Analysis/DebugTypes.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Loops/CompileInLoops.h"
#include "nnet3/Loops/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/Debug.h"

#define DEBUG_TYPE "nnet3-shortcut-frames"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3SHORTCUTFRAMES
#include "nnet3/Loops/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {
struct ShortcutFrames
    : public nnet3::impl::Nnet3ShortcutFramesBase<ShortcutFrames> {
  using Base::Base;

  void runOnOperation() override;
  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    pipeline.getDependentDialects(registry);
  }
  void setPipeline(const OpPassManager &newPipeline) {
    pipeline = newPipeline;
    std::string text;
    llvm::raw_string_ostream os(text);
    llvm::interleaveComma(pipeline.getPasses(), os,
                          [&](Pass &pass) { pass.printAsTextualPipeline(os); });
    passes = text;
  }

private:
  LogicalResult addPipeline();
  LogicalResult compile(RequestOp request, NetworkOp network,
                        const NodeTable &nodes, SymbolTable &symbols);

  OpPassManager pipeline{ComputationOp::getOperationName()};
  PassCount numExpanded{"computations expanded"};
  PassCount numFull{"requests compiled in full"};
};
} // namespace

/// Parses the passes that run on the short computations.
LogicalResult ShortcutFrames::addPipeline() {
  std::string error;
  llvm::raw_string_ostream os(error);
  if (passes.empty() || !pipeline.empty() ||
      succeeded(parsePassPipeline(passes, pipeline, os)))
    return success();
  return emitError(getOperation().getLoc(), "option passes: ")
         << StringRef(error).trim().take_until(
                [](char c) { return c == '\n'; });
}

LogicalResult ShortcutFrames::compile(RequestOp request, NetworkOp network,
                                      const NodeTable &nodes,
                                      SymbolTable &symbols) {
  OwningOpRef<RequestOp> block;
  if (std::optional<int64_t> size = request.getBlockSize())
    block = getFirstSequences(request, *size);
  CompileOptions options;
  options.debugInfo = debugInfo;
  options.foldSequences = foldSequences;
  options.elideRounds = elideRounds;
  OpBuilder builder(request);
  std::string reason;
  FailureOr<ComputationOp> computation = compileInLoops(
      builder, network, nodes, block ? *block : request, options,
      [&](ComputationOp op) { return runPipeline(pipeline, op); }, reason);
  if (failed(computation))
    return failure();
  if (isDebugging(DEBUG_TYPE))
    llvm::dbgs() << "@" << request.getSymName() << ": "
                 << (reason.empty() ? "expanded" : "compiled in full: ")
                 << reason << "\n";
  ++(reason.empty() ? numExpanded : numFull);
  computation->setSymName((request.getSymName() + "_computation").str());
  computation->getOperation()->remove();
  symbols.insert(*computation, std::next(Block::iterator(request)));
  return success();
}

void ShortcutFrames::runOnOperation() {
  SymbolTable symbols(getOperation());
  if (failed(addPipeline()))
    return signalPassFailure();
  auto compileOne = [&](RequestOp request, NetworkOp network,
                        const NodeTable &nodes) {
    return compile(request, network, nodes, symbols);
  };
  if (failed(forEachRequest(getOperation(), symbols, compileOne)))
    signalPassFailure();
}

std::unique_ptr<Pass>
mlir::nnet3::createShortcutFrames(const OpPassManager &passes) {
  auto pass = std::make_unique<ShortcutFrames>();
  pass->setPipeline(passes);
  return pass;
}
