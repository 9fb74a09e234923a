//===- Networks.h - The networks that are measured --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_BENCHMARKS_NETWORKS_H
#define NNET3_BENCHMARKS_NETWORKS_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::nnet3::benchmarks {

/// The names of the networks, each a config in `networks/`.
llvm::ArrayRef<llvm::StringRef> getNetworkNames();

/// Frames of the chunks that the network is measured with.
int32_t getChunkFrames(llvm::StringRef name);

/// The optimised computation of a request for \p network, before it. Exits if
/// there is none.
ComputationOp compile(NetworkOp network, RequestOp request);

/// A network made from a config, with random parameters.
class Network {
public:
  /// Exits with a message if the config cannot be read. In test mode unless
  /// \p trains.
  explicit Network(llvm::StringRef name, bool trains = false);

  NetworkOp getOp() { return network; }
  /// A request for `frames` frames of `sequences` sequences, every third frame
  /// out (every frame, for the network without subsampling), with the
  /// network's context around them, and 40 frames more where recurrences begin.
  /// A network that pools all frames has them alone, and one row out.
  /// In training the derivative of the output is given, and that of the model
  /// wanted, with statistics.
  RequestOp makeRequest(int32_t sequences, int32_t frames);
  /// The optimised computation of \p request. Exits if there is none.
  ComputationOp compile(RequestOp request) {
    return benchmarks::compile(network, request);
  }

private:
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  NetworkOp network;
  bool trains;
  bool subsamples;
  /// One row out, for all frames.
  bool pools;
  /// Frames around the context.
  int32_t extraLeft, extraRight;
};

} // namespace mlir::nnet3::benchmarks

#endif // NNET3_BENCHMARKS_NETWORKS_H
