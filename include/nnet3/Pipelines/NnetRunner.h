//===- NnetRunner.h - Requests by the interpreter ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_PIPELINES_NNETRUNNER_H
#define NNET3_PIPELINES_NNETRUNNER_H

#include "nnet3/Optimize/Pipeline.h"
#include "nnet3/Pipelines/ProgramCache.h"
#include "nnet3/Pipelines/RequestRunner.h"
#include "nnet3/Target/Program/ParameterBlob.h"
#include "nnet3/runtime/Runtime.h"

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

/// An instance of the interpreter.
class InterpreterInstance : public RequestInstance {
public:
  explicit InterpreterInstance(std::unique_ptr<runtime::Instance> instance)
      : instance(std::move(instance)) {}

  runtime::Status setInput(llvm::StringRef name,
                           runtime::ConstMatrixView value) override {
    return instance->setInput(name, value);
  }
  runtime::Status run() override { return instance->run(); }
  runtime::Result<runtime::ConstMatrixView>
  output(llvm::StringRef name) const override {
    return instance->output(name);
  }

private:
  std::unique_ptr<runtime::Instance> instance;
};

/// Compiles requests for one network to programs of the interpreter. The
/// network must not change while the runner lives.
class NnetRunner : public RequestRunner {
public:
  /// Fails with an error at the network, if a descriptor or parameter is bad.
  static mlir::FailureOr<std::unique_ptr<NnetRunner>>
  create(mlir::nnet3::NetworkOp network, const RunnerOptions &options = {});

  mlir::FailureOr<std::unique_ptr<RequestInstance>>
  makeInstance(mlir::nnet3::RequestOp request) override;

  const mlir::nnet3::OptimizeOptions &getOptimization() const {
    return options.optimization;
  }

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

private:
  NnetRunner(mlir::nnet3::NetworkOp network, mlir::nnet3::NodeTable nodes,
             ParameterBlob parameters, const RunnerOptions &options)
      : RequestRunner(network, std::move(nodes), options.cacheCapacity),
        parameters(std::move(parameters)), options(options) {}

  mlir::nnet3::CompileOptions getCompileOptions() const;
  ProgramKey getProgramKey(mlir::nnet3::RequestOp request);
  mlir::FailureOr<std::string> compile(mlir::nnet3::RequestOp request);
  runtime::Result<std::shared_ptr<const runtime::Program>>
  makeProgram(llvm::StringRef bytes) const;
  std::shared_ptr<const runtime::Program> findProgram(const ProgramKey &key);

  ParameterBlob parameters;
  RunnerOptions options;
  /// All but the request; made when it is first needed.
  std::optional<ProgramKeyParts> keyParts;
};

} // namespace nnet3

#endif // NNET3_PIPELINES_NNETRUNNER_H
