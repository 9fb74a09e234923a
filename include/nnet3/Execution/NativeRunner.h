//===- NativeRunner.h - Requests by machine code ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_EXECUTION_NATIVERUNNER_H
#define NNET3_EXECUTION_NATIVERUNNER_H

#include "nnet3/Dialect/Kernel/IR/Precision.h"
#include "nnet3/Execution/NativeProgram.h"
#include "nnet3/Execution/RequestRunner.h"
#include "nnet3/Optimize/Pipeline.h"
#include "nnet3/Target/Library/LibraryEmitter.h"

namespace mlir::nnet3 {

class CompiledLibrary;

/// Options of compilation to machine code.
struct NativeOptions {
  /// Maximum number of compiled requests; the least recently used one is
  /// removed first.
  size_t cacheCapacity = 64;
  /// Optimisation of requests with derivatives or statistics.
  OptimizeOptions optimization;
  /// Precision of matmuls.
  MatmulPrecision precision;
  /// Whether the passes for requests may edit the network. A network with a
  /// stream is never edited.
  bool editNetwork = true;
  /// Threads of each instance. They share the rows of large matmuls, or all
  /// kernels of requests with derivatives or statistics.
  int32_t numThreads = 1;
  /// Cache of code and weights of earlier runs; null for none. It must be
  /// trusted, because its code is run.
  std::shared_ptr<ProgramCache> programCache;
  /// Receives a line about each request's code: its origin and the time taken.
  ProgramCache::Report report;
};

/// Compiles requests for one network to code for this machine, like
/// nnet3-compile, and runs it in this process. Requests with derivatives or
/// statistics are computed in f32. The runner does not set the network to test
/// mode. The network must not change during the lifetime of the runner.
class NativeRunner : public RequestRunner {
public:
  /// Emits an error at the network if a descriptor is invalid.
  static FailureOr<std::unique_ptr<NativeRunner>>
  create(NetworkOp network, const NativeOptions &options = {});

  FailureOr<std::unique_ptr<RequestInstance>>
  makeInstance(RequestOp request) override;

  /// Number of copies of the weights. Requests with equal weight layouts share
  /// one.
  size_t getNumWeights() const { return weights.size(); }

private:
  NativeRunner(NetworkOp network, NodeTable nodes, const NativeOptions &options)
      : RequestRunner(network, std::move(nodes), options.cacheCapacity),
        options(options), weights(options.programCache) {}

  using Library = std::shared_ptr<CompiledLibrary>;

  FailureOr<ProgramKey> getProgramKey(RequestOp request);
  FailureOr<OwningOpRef<ModuleOp>> lower(RequestOp request) const;
  llvm::Expected<Library> link(llvm::StringRef object,
                               std::shared_ptr<const NativeWeights> weights);
  Library findLibrary(const ProgramKey &key);
  FailureOr<Library> compile(RequestOp request,
                             const std::optional<ProgramKey> &key);
  FailureOr<Library> makeLibrary(RequestOp request);
  FailureOr<std::unique_ptr<RequestInstance>>
  makeTrainingInstance(RequestOp request);

  NativeOptions options;
  LibraryOptions library;
  NativeWeightsPool weights;
  /// All parts of program keys but the request; set on first use.
  std::optional<ProgramKeyParts> keyParts;
};

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_NATIVERUNNER_H
