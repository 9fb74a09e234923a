//===- HybridRunner.h - Machine code in the background ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_EXECUTION_HYBRIDRUNNER_H
#define NNET3_EXECUTION_HYBRIDRUNNER_H

#include "nnet3/Execution/NativeRunner.h"

namespace mlir::nnet3 {

/// Runs each request with the interpreter while a thread compiles it to machine
/// code, then switches to the code. The time of the switch depends only on the
/// number of frames, not on the time of compilation, so that equal inputs give
/// equal bytes: the interpreter computes the first `numFrames` input rows of a
/// request, then the runner waits for the code. Compilation begins after a
/// quarter of these rows, so rarely used requests are not compiled.
class HybridRunner : public RequestRunner {
public:
  /// Runs requests first with `interpreter`. Emits an error at the network if a
  /// descriptor is invalid.
  static FailureOr<std::unique_ptr<HybridRunner>>
  create(std::unique_ptr<RequestRunner> interpreter,
         const NativeOptions &options, int64_t numFrames);
  ~HybridRunner() override;

  FailureOr<std::unique_ptr<RequestInstance>>
  makeInstance(RequestOp request) override;

  std::string getActivity() const override;
  size_t getNumCompiled() const override;

private:
  class Compiler;
  class Instance;

  HybridRunner(std::unique_ptr<RequestRunner> interpreter, NodeTable nodes,
               const NativeOptions &options, int64_t numFrames);

  std::unique_ptr<RequestRunner> interpreter;
  std::shared_ptr<Compiler> compiler;
  int64_t numFrames;
};

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_HYBRIDRUNNER_H
