//===- NnetRunner.h - A network that computes requests ----------*- C++ -*-===//
#ifndef NNET3_PIPELINES_NNETRUNNER_H
#define NNET3_PIPELINES_NNETRUNNER_H

#include "nnet3/Compile/NodeTable.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"
#include "nnet3/Optimize/Pipeline.h"
#include "nnet3/Pipelines/ProgramCache.h"
#include "nnet3/Target/Program/ParameterBlob.h"
#include "nnet3/runtime/Runtime.h"
#include <list>
#include <map>

namespace nnet3 {

/// How a runner compiles and runs.
struct RunnerOptions {
  /// Print each computation when it is compiled, and each command when it has
  /// run, to standard error.
  bool debug = false;
  /// How many compiled requests are kept; the one unused for longest goes
  /// first.
  size_t cacheCapacity = 64;
  mlir::nnet3::OptimizeOptions optimization;
  /// Programs of earlier runs; null for none. It is not asked with `debug`,
  /// which is about compiling.
  std::shared_ptr<ProgramCache> programCache;
  /// Told where each program comes from, and how long that took.
  ProgramCache::Report report;
};

/// Compiles requests for one network and runs them on the CPU. The network must
/// not change while the runner lives.
class NnetRunner {
public:
  /// Fails with an error at the network, if a descriptor or parameter is bad.
  static mlir::FailureOr<std::unique_ptr<NnetRunner>>
  create(mlir::nnet3::NetworkOp network, const RunnerOptions &options = {});

  mlir::nnet3::NetworkOp getNetwork() const { return network; }
  const mlir::nnet3::NodeTable &getNodes() const { return nodes; }

  /// Columns of the input, component or output node `name`; 0 if there is none.
  int64_t getDim(llvm::StringRef name) const;

  /// The instance that computes `request`, compiled now or before. It stays
  /// with the runner, until the cache gives it up: use it before the next call.
  /// `request` need not live on. Fails with an error at the request.
  mlir::FailureOr<runtime::Instance *> prepare(mlir::nnet3::RequestOp request);

  /// The program that computes `request`, compiled anew or from the program
  /// cache. `request` need not live on. Fails with an error at the request.
  mlir::FailureOr<std::shared_ptr<const runtime::Program>>
  load(mlir::nnet3::RequestOp request);

  /// An instance of `program` with `instanceOptions`, to which the runner adds
  /// its trace. Fails with an error at `loc`.
  mlir::FailureOr<std::unique_ptr<runtime::Instance>>
  instantiate(std::shared_ptr<const runtime::Program> program,
              mlir::Location loc,
              runtime::InstanceOptions instanceOptions = {}) const;

  /// How many requests have been compiled so far, rather than found.
  size_t getNumCompiled() const { return numCompiled; }

private:
  /// What a request says, as uniqued attributes.
  using Key = std::vector<const void *>;
  struct Entry {
    Key key;
    std::unique_ptr<runtime::Instance> instance;
  };

  NnetRunner(mlir::nnet3::NetworkOp network, mlir::nnet3::NodeTable nodes,
             ParameterBlob parameters, const RunnerOptions &options)
      : network(network), nodes(std::move(nodes)),
        parameters(std::move(parameters)), options(options) {}

  mlir::nnet3::CompileOptions getCompileOptions() const;
  ProgramKey getProgramKey(mlir::nnet3::RequestOp request);
  mlir::FailureOr<std::string> compile(mlir::nnet3::RequestOp request);
  runtime::Result<std::shared_ptr<const runtime::Program>>
  makeProgram(llvm::StringRef bytes) const;
  std::shared_ptr<const runtime::Program> findProgram(const ProgramKey &key);

  mlir::nnet3::NetworkOp network;
  mlir::nnet3::NodeTable nodes;
  ParameterBlob parameters;
  RunnerOptions options;
  size_t numCompiled = 0;
  /// All but the request; made when it is first needed.
  std::optional<ProgramKeyParts> keyParts;

  /// Most recently used first.
  std::list<Entry> entries;
  /// Only looked up, never iterated.
  std::map<Key, std::list<Entry>::iterator> byKey;
};

} // namespace nnet3

#endif // NNET3_PIPELINES_NNETRUNNER_H
