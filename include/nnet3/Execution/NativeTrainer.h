//===- NativeTrainer.h - Training steps by machine code ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_EXECUTION_NATIVETRAINER_H
#define NNET3_EXECUTION_NATIVETRAINER_H

#include "nnet3/Execution/CpuTrainer.h"
#include "nnet3/runtime/CompiledStep.h"

namespace mlir::nnet3 {

/// Options of training with machine code.
struct NativeTrainingOptions {
  /// Number of steps, from the first step of the training, that the interpreter
  /// computes while shapes are compiled in the background. Later steps wait for
  /// the code, so that results do not depend on the time of compilation.
  int64_t nativeAfter = 0;
  /// Cache of code of earlier runs; null for none. It must be trusted, because
  /// its code is run.
  std::shared_ptr<ProgramCache> programCache;
  /// Number of threads that compute a minibatch together. Results do not depend
  /// on it.
  int32_t numThreads = 1;
};

/// A trainer that compiles requests to code for this machine. Each request is
/// compiled on a thread of its own while training goes on.
class NativeTrainer : public CpuTrainer {
public:
  /// Takes the arguments of CpuTrainer::create. Requests are optimised as for
  /// the interpreter.
  static FailureOr<std::unique_ptr<NativeTrainer>>
  create(NnetRunner &interpreter, ::nnet3::rt::TrainerOptions options,
         const NativeTrainingOptions &native = {});
  ~NativeTrainer() override;

  /// Begins to compile a request of a new shape. On failure, emits an error at
  /// the request.
  FailureOr<std::shared_ptr<const ::nnet3::rt::Program>>
  prepare(RequestOp request) override;

  /// Runs the code of `program`, or the interpreter for the first minibatches.
  /// Fails if the request could not be compiled.
  ::nnet3::rt::Result<::nnet3::rt::TrainingStep>
  train(const std::shared_ptr<const ::nnet3::rt::Program> &program,
        const ::nnet3::rt::Minibatch &minibatch) override;

private:
  class Compiler;
  class Steps;

  NativeTrainer(NnetRunner &interpreter,
                std::unique_ptr<::nnet3::rt::Trainer> trainer,
                const ::nnet3::rt::TrainerOptions &options,
                const NativeTrainingOptions &native,
                std::shared_ptr<Compiler> compiler);

  bool storesStats;
  int64_t nativeAfter;
  std::shared_ptr<Compiler> compiler;
};

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_NATIVETRAINER_H
