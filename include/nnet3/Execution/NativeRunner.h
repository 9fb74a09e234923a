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

/// How requests are compiled to machine code.
struct NativeOptions {
  /// How many compiled requests are kept; the one unused for longest goes
  /// first.
  size_t cacheCapacity = 64;
  /// Of requests with derivatives or statistics.
  OptimizeOptions optimization;
  /// Of matrix products.
  MatmulPrecision precision;
  /// Whether the passes of requests may edit the network; never beside a
  /// stream.
  bool editNetwork = true;
  /// Threads of each instance. They share the rows of large products, or all
  /// kernels of requests with derivatives or statistics.
  int32_t numThreads = 1;
  /// Code of earlier runs, with its weights; null for none. Who can write to it
  /// decides what runs here.
  std::shared_ptr<ProgramCache> programCache;
  /// Told where each request's code comes from, and how long that took.
  ProgramCache::Report report;
};

/// Compiles requests for one network to code for this machine, as nnet3-compile
/// does, and runs it in this process. Those with derivatives or statistics are
/// f32. The network is used as it is: whoever wants test mode sets it. It must
/// not change while the runner lives.
class NativeRunner : public RequestRunner {
public:
  /// Fails with an error at the network, if a descriptor is bad.
  static FailureOr<std::unique_ptr<NativeRunner>>
  create(NetworkOp network, const NativeOptions &options = {});

  FailureOr<std::unique_ptr<RequestInstance>>
  makeInstance(RequestOp request) override;

  /// How many copies of the weights there are now. Requests whose code expects
  /// the same layout share one.
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
  /// All but the request; made when it is first needed.
  std::optional<ProgramKeyParts> keyParts;
};

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_NATIVERUNNER_H
