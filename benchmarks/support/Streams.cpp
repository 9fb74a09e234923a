//===- Streams.cpp - The benchmark streams --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Streams.h"
#include "KernelOperations.h"

#include "nnet3/Pipelines/NativeCode.h"
#include "nnet3/Stream/CreateStream.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::benchmarks;

void mlir::nnet3::benchmarks::prepareNetwork(NetworkOp network) {
  if (failed(prepareForStreams(network->getParentOfType<ModuleOp>(),
                               Precision::F32)))
    std::exit(1);
}

StreamOp(mlir::nnet3::benchmarks::planStream)(NetworkOp network,
                                              ArrayRef<int64_t> chunks,
                                              ArrayRef<int64_t> sequences,
                                              int64_t ivectorPeriod,
                                              int64_t factor) {
  StreamOptions options;
  options.chunks.assign(chunks.begin(), chunks.end());
  options.frameSubsamplingFactor = factor;
  options.ivectorPeriod = ivectorPeriod;
  options.sequences.assign(sequences.begin(), sequences.end());
  SymbolTable symbols(network->getParentOfType<ModuleOp>());
  auto stream = createStream(symbols, network, options);
  if (failed(stream))
    std::exit(1);
  return *stream;
}

StreamOp(mlir::nnet3::benchmarks::makeStream)(NetworkOp network,
                                              ArrayRef<int64_t> chunks,
                                              ArrayRef<int64_t> sequences,
                                              int64_t ivectorPeriod,
                                              int64_t factor) {
  prepareNetwork(network);
  return planStream(network, chunks, sequences, ivectorPeriod, factor);
}

RequestOp(mlir::nnet3::benchmarks::getRequest)(StreamOp stream,
                                               int64_t numFrames,
                                               bool isFirst) {
  for (auto chunk : stream.getBody().getOps<StreamChunkOp>())
    if (int64_t(chunk.getNumFrames()) == numFrames)
      return SymbolTable::lookupNearestSymbolFrom<RequestOp>(
          stream, isFirst ? chunk.getFirstAttr() : chunk.getNextAttr());
  return nullptr;
}

double mlir::nnet3::benchmarks::countSteadyMultiplyAdds(StringRef name) {
  Network network(name);
  // Both requests have the same context, so it cancels in the difference.
  constexpr int64_t kShort = 84, kLong = 168;
  StreamOp stream =
      makeStream(network.getOp(), {kShort, kLong}, {1},
                 /*ivectorPeriod=*/21, getFrameSubsamplingFactor(name));
  const auto count = [&](int64_t frames) {
    return countFusedMultiplyAdds(*compileMatmuls(
        network.getOp(), getRequest(stream, frames, /*isFirst=*/true)));
  };
  return (count(kLong) - count(kShort)) / double(kLong - kShort);
}
