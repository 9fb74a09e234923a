//===- ExampleRequest.h - What a training example asks for ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TARGET_KALDI_EXAMPLEREQUEST_H
#define NNET3_TARGET_KALDI_EXAMPLEREQUEST_H

#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"
#include "nnet3/Kaldi/Examples/Examples.h"

namespace mlir::nnet3 {

/// What is asked for beyond the outputs.
struct ExampleRequestOptions {
  bool needModelDerivative = false;
  bool storeComponentStats = false;
};

/// What an io of an example is for a request.
enum class IoRole { Input, Output, Unused };

/// Creates, at `builder`'s insertion point, the request with which Kaldi
/// computes `example` for `network`: `getRole` tells what its io are. The
/// derivatives of outputs will be given where that of the model is needed.
/// Emits an error at `loc` if the example has no request.
FailureOr<RequestOp> createExampleRequest(
    const ::nnet3::kaldi::NnetExample &example, llvm::StringRef network,
    llvm::function_ref<IoRole(llvm::StringRef io)> getRole,
    const ExampleRequestOptions &options, OpBuilder &builder, Location loc);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_KALDI_EXAMPLEREQUEST_H
