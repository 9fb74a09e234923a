//===- Networks.h - The benchmark networks ----------------------*- C++ -*-===//
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

/// Returns the names of the networks; each is a config in `networks/`.
llvm::ArrayRef<llvm::StringRef> getNetworkNames();

/// Returns the number of frames of the chunks that the network is measured
/// with.
int32_t getChunkFrames(llvm::StringRef name);

/// Returns the number of frames for each output of the network.
int32_t getFrameSubsamplingFactor(llvm::StringRef name);

/// Compiles and optimises a request for \p network, and inserts the computation
/// before the network. Exits after an error.
ComputationOp compile(NetworkOp network, RequestOp request);

/// A network made from a config, with random parameters.
class Network {
public:
  /// Exits with a message if the config cannot be read. In test mode unless
  /// \p trains. Without \p naturalGradient, components train without it, except
  /// for LSTM nonlinearities, which always have it.
  explicit Network(llvm::StringRef name, bool trains = false,
                   bool naturalGradient = true);

  NetworkOp getOp() { return network; }
  /// Creates a request for `frames` frames of `sequences` sequences. It has an
  /// output for every third frame (for every frame, if the network does not
  /// subsample), the network's context, and 40 more frames where recurrences
  /// begin. A network that pools all frames has no context and one output row.
  /// In training, the derivative of the output is given, and the model
  /// derivative and statistics are requested.
  RequestOp makeRequest(int32_t sequences, int32_t frames);
  /// Compiles and optimises \p request. Exits after an error.
  ComputationOp compile(RequestOp request) {
    return benchmarks::compile(network, request);
  }

private:
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  NetworkOp network;
  bool trains;
  int32_t factor; ///< frames for each output
  /// There is one output row for all frames.
  bool pools;
  /// Frames beyond the context.
  int32_t extraLeft, extraRight;
};

} // namespace mlir::nnet3::benchmarks

#endif // NNET3_BENCHMARKS_NETWORKS_H
