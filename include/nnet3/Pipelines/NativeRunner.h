//===- NativeRunner.h - Requests by machine code ----------------*- C++ -*-===//
#ifndef NNET3_PIPELINES_NATIVERUNNER_H
#define NNET3_PIPELINES_NATIVERUNNER_H

#include "nnet3/Conversion/Nnet3ToKernels/Precision.h"
#include "nnet3/Pipelines/ProgramCache.h"
#include "nnet3/Pipelines/RequestRunner.h"
#include "nnet3/Target/Library/LibraryEmitter.h"

namespace nnet3 {

class CompiledLibrary;

/// How requests are compiled to machine code.
struct NativeOptions {
  /// How many compiled requests are kept; the one unused for longest goes
  /// first.
  size_t cacheCapacity = 64;
  /// Of large matrix products.
  mlir::nnet3::Precision precision = mlir::nnet3::Precision::F32;
  /// Told how long each request took.
  ProgramCache::Report report;
};

/// Compiles requests for one network to code for this machine, as nnet3-compile
/// does, and runs it in this process. Forward only. The network is used as it
/// is: whoever wants test mode sets it. It must not change while the runner
/// lives.
class NativeRunner : public RequestRunner {
public:
  /// Fails with an error at the network, if a descriptor is bad.
  static mlir::FailureOr<std::unique_ptr<NativeRunner>>
  create(mlir::nnet3::NetworkOp network, const NativeOptions &options = {});

  mlir::FailureOr<std::unique_ptr<RequestInstance>>
  makeInstance(mlir::nnet3::RequestOp request) override;

  /// How many copies of the weights there are now. Requests whose code expects
  /// the same layout share one.
  size_t getNumWeights() const;

private:
  /// Aligned as generated code expects.
  class Weights;

  NativeRunner(mlir::nnet3::NetworkOp network, mlir::nnet3::NodeTable nodes,
               const NativeOptions &options)
      : RequestRunner(network, std::move(nodes), options.cacheCapacity),
        options(options) {}

  mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
  lower(mlir::nnet3::RequestOp request) const;
  std::shared_ptr<const Weights> share(llvm::ArrayRef<char> bytes);
  mlir::FailureOr<std::shared_ptr<CompiledLibrary>>
  compile(mlir::nnet3::RequestOp request);

  NativeOptions options;
  LibraryOptions library;
  CodeTarget::Vectors vectors = {};
  /// Of requests that are still kept, and some that are gone.
  std::vector<std::weak_ptr<const Weights>> weights;
};

} // namespace nnet3

#endif // NNET3_PIPELINES_NATIVERUNNER_H
