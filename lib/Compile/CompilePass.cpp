//===- CompilePass.cpp - Compile every request to a computation -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Compile/Compile.h"
#include "nnet3/Compile/ForEachRequest.h"
#include "nnet3/Compile/Passes.h"
#include "nnet3/Compile/SequenceBlock.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3COMPILE
#include "nnet3/Compile/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {
struct CompilePass : public nnet3::impl::Nnet3CompileBase<CompilePass> {
  using Base::Base;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    auto compileOne = [&](RequestOp request, NetworkOp network,
                          const NodeTable &nodes) {
      return compile(request, network, nodes, symbols);
    };
    if (failed(forEachRequest(getOperation(), symbols, compileOne)))
      signalPassFailure();
  }

  LogicalResult compile(RequestOp request, NetworkOp network,
                        const NodeTable &nodes, SymbolTable &symbols) {
    OpBuilder builder(request->getContext());
    CompileOptions options;
    options.debugInfo = debugInfo;
    options.foldSequences = foldSequences;
    options.elideRounds = elideRounds;
    OwningOpRef<RequestOp> block;
    if (std::optional<int64_t> blockSize = request.getBlockSize())
      block = getFirstSequences(request, *blockSize);
    FailureOr<ComputationOp> computation = compileRequest(
        builder, network, nodes, block ? *block : request, options);
    if (failed(computation))
      return failure();
    symbols.insert(*computation, std::next(Block::iterator(request)));
    return success();
  }
};
} // namespace
