//===- NnetRunner.h - Requests by the interpreter ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_EXECUTION_NNETRUNNER_H
#define NNET3_EXECUTION_NNETRUNNER_H

#include "nnet3/Execution/ProgramCache.h"
#include "nnet3/Execution/RequestRunner.h"
#include "nnet3/Optimize/Pipeline.h"
#include "nnet3/Target/Program/ParameterBlob.h"
#include "nnet3/runtime/Runtime.h"

namespace mlir::nnet3 {

/// Options of the interpreter's compilation and runs.
struct RunnerOptions {
  /// Print each computation when it is compiled, and each command when it has
  /// run, to standard error.
  bool debug = false;
  /// Maximum number of compiled requests; the least recently used one is
  /// removed first.
  size_t cacheCapacity = 64;
  OptimizeOptions optimization;
  /// Compile recurrences over many frames as loops, unless optimisation is off.
  bool loops = true;
  /// Cache of programs of earlier runs; null for none. It is not used with
  /// `debug`, so that computations are compiled and printed.
  std::shared_ptr<ProgramCache> programCache;
  /// Receives a line about each program: its origin and the time taken.
  ProgramCache::Report report;
};

/// An instance of the interpreter.
class InterpreterInstance : public RequestInstance {
public:
  explicit InterpreterInstance(std::unique_ptr<::nnet3::rt::Instance> instance)
      : instance(std::move(instance)) {}

  ::nnet3::rt::Status setInput(llvm::StringRef name,
                               ::nnet3::rt::ConstMatrixView value) override {
    return instance->setInput(name, value);
  }
  ::nnet3::rt::Status run() override { return instance->run(); }
  ::nnet3::rt::Result<::nnet3::rt::ConstMatrixView>
  output(llvm::StringRef name) const override {
    return instance->output(name);
  }

private:
  std::unique_ptr<::nnet3::rt::Instance> instance;
};

/// Compiles requests for one network to programs of the interpreter. The
/// network must not change during the lifetime of the runner.
class NnetRunner : public RequestRunner {
public:
  /// Emits an error at the network if a descriptor or parameter is invalid.
  static FailureOr<std::unique_ptr<NnetRunner>>
  create(NetworkOp network, const RunnerOptions &options = {});

  FailureOr<std::unique_ptr<RequestInstance>>
  makeInstance(RequestOp request) override;

  const OptimizeOptions &getOptimization() const {
    return options.optimization;
  }

  /// Compiles the program for `request`, or loads it from the program cache.
  /// `request` may be destroyed afterwards. On failure, emits an error at the
  /// request.
  FailureOr<std::shared_ptr<const ::nnet3::rt::Program>>
  load(RequestOp request);

  /// Creates an instance of `program` with `instanceOptions`, to which the
  /// runner adds its trace. On failure, emits an error at `loc`.
  FailureOr<std::unique_ptr<::nnet3::rt::Instance>>
  instantiate(std::shared_ptr<const ::nnet3::rt::Program> program, Location loc,
              ::nnet3::rt::InstanceOptions instanceOptions = {}) const;

  /// Loads a program of the network that computes nothing, and has the same
  /// model as all programs. On failure, emits an error at the network.
  FailureOr<std::shared_ptr<const ::nnet3::rt::Program>>
  loadModelProgram() const;

  /// Creates a model with the parameters and statistics of the network, which
  /// all its programs can use. On failure, emits an error at the network.
  FailureOr<std::unique_ptr<::nnet3::rt::Model>> createModel() const;

private:
  NnetRunner(NetworkOp network, NodeTable nodes, ParameterBlob parameters,
             const RunnerOptions &options)
      : RequestRunner(network, std::move(nodes), options.cacheCapacity),
        parameters(std::move(parameters)), options(options) {}

  CompileOptions getCompileOptions() const;
  ProgramKey getProgramKey(RequestOp request);
  FailureOr<std::string> compile(RequestOp request);
  ::nnet3::rt::Result<std::shared_ptr<const ::nnet3::rt::Program>>
  makeProgram(llvm::StringRef bytes) const;
  std::shared_ptr<const ::nnet3::rt::Program>
  findProgram(const ProgramKey &key);

  ParameterBlob parameters;
  RunnerOptions options;
  /// All parts of program keys but the request; set on first use.
  std::optional<ProgramKeyParts> keyParts;
};

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_NNETRUNNER_H
