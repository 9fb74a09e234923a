//===- ExampleRequests.h - Requests and data of examples --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_COMMON_EXAMPLEREQUESTS_H
#define NNET3_TOOLS_COMMON_EXAMPLEREQUESTS_H

#include "nnet3/Execution/RequestRunner.h"
#include "nnet3/Target/Kaldi/ExampleRequest.h"
#include "nnet3/Tools/Common/ExampleMinibatch.h"

#include "mlir/IR/OwningOpRef.h"

namespace mlir::nnet3 {

/// Creates requests and minibatches from examples, which must be chain examples
/// if there is a denominator graph. Emits errors.
class ExampleRequests {
public:
  /// `runner` provides the dimensions of the network.
  ExampleRequests(const RequestRunner &runner,
                  const ::nnet3::rt::ChainTrainingOptions &chainOptions)
      : runner(runner), chainOptions(chainOptions) {}

  /// Reads the denominator graph, unless `path` is empty; all examples must
  /// then be chain examples.
  llvm::Error readDenominator(llvm::StringRef path);

  bool isChain() const { return denominator != nullptr; }

  /// Creates the request of `example`.
  FailureOr<OwningOpRef<RequestOp>>
  createRequest(const ::nnet3::kaldi::AnyExample &example,
                const ExampleRequestOptions &options, Location loc) const;

  /// Creates the minibatch of `example`, which must outlive the result.
  FailureOr<std::unique_ptr<ExampleMinibatch>>
  createMinibatch(const ::nnet3::kaldi::AnyExample &example,
                  Location loc) const;

private:
  bool isInput(llvm::StringRef name) const;
  LogicalResult checkKind(const ::nnet3::kaldi::AnyExample &example,
                          Location loc) const;
  LogicalResult checkColumns(ArrayRef<::nnet3::kaldi::NnetIo> ios,
                             Location loc) const;

  const RequestRunner &runner;
  const ::nnet3::rt::ChainTrainingOptions &chainOptions;
  std::shared_ptr<const ::nnet3::rt::DenominatorGraph> denominator;
};

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_COMMON_EXAMPLEREQUESTS_H
