//===- OptionChecks.cpp - Options of a stream -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OptionChecks.h"
#include "nnet3/Compile/ComputationGraph.h"
#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"

#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::nnet3;

/// A request cannot have more rows than this.
static constexpr int64_t kMaxFrames = 1 << 24;

LogicalResult mlir::nnet3::checkOptions(NetworkOp network,
                                        const StreamOptions &options) {
  const auto check = [&](StringRef name, int64_t value, int64_t least) {
    if (value >= least && value <= kMaxFrames)
      return success();
    return LogicalResult(network.emitError("cannot stream: expects ")
                         << name << " between " << least << " and "
                         << kMaxFrames << ", but got " << value);
  };
  if (options.chunks.empty())
    return network.emitError(
        "cannot stream: expects at least one chunk length (chunks)");
  for (const int64_t chunk : options.chunks)
    if (failed(check("chunks", chunk, 1)))
      return failure();
  if (failed(check("frame-subsampling-factor", options.frameSubsamplingFactor,
                   1)) ||
      failed(check("extra-left-context-initial",
                   options.extraLeftContextInitial, 0)) ||
      failed(check("ivector-period", options.ivectorPeriod, 0)) ||
      failed(check("max-frames", options.maxFrames, 0)))
    return failure();
  for (const int64_t count : options.sequences)
    if (failed(check("num-sequences", count, 1)))
      return failure();
  return success();
}

LogicalResult mlir::nnet3::roundChunks(NetworkOp network, int64_t modulus,
                                       StreamOptions &options) {
  int64_t step = saturatingLcm(modulus, options.frameSubsamplingFactor);
  if (options.ivectorPeriod > 0)
    step = saturatingLcm(step, options.ivectorPeriod);
  for (int64_t &chunk : options.chunks) {
    if (step > kMaxFrames || llvm::alignTo(chunk, step) > kMaxFrames)
      return network.emitError(
                 "cannot stream: expects chunks of a multiple of ")
             << step
             << " frames, after which the network's reads repeat, but a "
                "chunk has at most "
             << kMaxFrames;
    chunk = llvm::alignTo(chunk, step);
  }
  if (options.sequences.empty())
    options.sequences.push_back(1);
  for (SmallVector<int64_t> *list : {&options.chunks, &options.sequences}) {
    llvm::sort(*list);
    list->erase(llvm::unique(*list), list->end());
  }
  return success();
}

LogicalResult mlir::nnet3::checkRows(NetworkOp network, int64_t context,
                                     const StreamOptions &options) {
  const int64_t rows = options.chunks.back() + context;
  const int64_t sequences = options.sequences.back();
  if (rows <= kMaxFrames / sequences)
    return success();
  return network.emitError("cannot stream: a chunk has ")
         << rows << " rows of each of " << sequences << " sequences, more than "
         << kMaxFrames;
}

int64_t mlir::nnet3::findIvectorPeriod(const NodeTable &nodes,
                                       const StreamOptions &options) {
  int64_t period = 0;
  for (const int64_t chunk : options.chunks)
    period = std::gcd(period, chunk);
  const int32_t ivector = nodes.find("ivector");
  SmallVector<Cindex> sources;
  // The second period distinguishes rows at a fixed time from moving rows.
  for (int32_t node = 0; node < nodes.size(); ++node)
    if (nodes[node].kind == Node::Kind::Descriptor)
      for (int64_t t = 0; t < 2 * nodes[node].modulus; ++t)
        getSourceRows(nodes, {node, {0, int32_t(t), 0}}, sources);
  for (const Cindex &source : sources)
    if (source.node == ivector)
      period = std::gcd(period, int64_t(source.index.t));
  return period;
}
