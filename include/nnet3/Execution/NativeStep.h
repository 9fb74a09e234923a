//===- NativeStep.h - Training steps as machine code ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_EXECUTION_NATIVESTEP_H
#define NNET3_EXECUTION_NATIVESTEP_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"
#include "nnet3/Execution/ProgramCache.h"
#include "nnet3/Execution/RequestRunner.h"
#include "nnet3/Pipelines/NativeCode.h"
#include "nnet3/runtime/CompiledStep.h"

namespace mlir::nnet3 {

/// Compiles the forward and backward pass of `request`, which has derivatives
/// or statistics, to code for this machine. The network must be in the mode in
/// which it runs. Takes code of earlier calls from `cache`, which may be null.
/// On failure, emits an error at the request or the network.
FailureOr<std::shared_ptr<const ::nnet3::rt::CompiledStep>>
compileStep(NetworkOp network, RequestOp request, const TrainingCode &training,
            ProgramCache *cache = nullptr);

/// Creates an instance of `code` that computes both passes in one run.
std::unique_ptr<RequestInstance>
makeStepInstance(std::unique_ptr<::nnet3::rt::CompiledSteps> steps,
                 const ::nnet3::rt::CompiledStep &code);

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_NATIVESTEP_H
