//===- ExampleRequest.h - Requests of training examples ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TARGET_KALDI_EXAMPLEREQUEST_H
#define NNET3_TARGET_KALDI_EXAMPLEREQUEST_H

#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"
#include "nnet3/Kaldi/Examples/Examples.h"

namespace mlir::nnet3 {

/// The flags of the request of an example.
struct ExampleRequestOptions {
  bool needModelDerivative = false;
  bool storeComponentStats = false;
};

/// The role of an io of an example in a request.
enum class IoRole { Input, Output, Unused };

/// Creates, at `builder`'s insertion point, the request with which Kaldi
/// computes `example` for `network`; `getRole` returns the role of each io. If
/// the derivative of the model is needed, the caller supplies the derivatives
/// of the outputs. Emits an error at `loc` if there is no request for the
/// example.
FailureOr<RequestOp> createExampleRequest(
    const ::nnet3::kaldi::NnetExample &example, llvm::StringRef network,
    llvm::function_ref<IoRole(llvm::StringRef io)> getRole,
    const ExampleRequestOptions &options, OpBuilder &builder, Location loc);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_KALDI_EXAMPLEREQUEST_H
