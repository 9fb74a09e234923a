//===- CompileStreamingPass.cpp - Compiling the streams of a module -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Stream/CreateStream.h"
#include "nnet3/Stream/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3COMPILESTREAMING
#include "nnet3/Stream/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

namespace {
struct CompileStreamingPass
    : public nnet3::impl::Nnet3CompileStreamingBase<CompileStreamingPass> {
  using Base::Base;

  void runOnOperation() override {
    StreamOptions options;
    options.chunks.assign(chunks.begin(), chunks.end());
    options.frameSubsamplingFactor = frameSubsamplingFactor;
    options.extraLeftContextInitial = extraLeftContextInitial;
    options.ivectorPeriod = ivectorPeriod;
    options.sequences.assign(numSequences.begin(), numSequences.end());
    options.maxFrames = maxFrames;
    options.allowChunkedRecurrence = allowChunkedRecurrence;
    SymbolTable symbols(getOperation());
    SmallVector<NetworkOp> networks(getOperation().getOps<NetworkOp>());
    for (NetworkOp network : networks)
      if (failed(createStream(symbols, network, options)))
        return signalPassFailure();
  }
};
} // namespace
