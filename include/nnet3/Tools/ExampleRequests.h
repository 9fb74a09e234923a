//===- ExampleRequests.h - What examples ask of a network -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_EXAMPLEREQUESTS_H
#define NNET3_TOOLS_EXAMPLEREQUESTS_H

#include "nnet3/Execution/RequestRunner.h"
#include "nnet3/Target/Kaldi/ExampleRequest.h"
#include "nnet3/Tools/ExampleMinibatch.h"

#include "mlir/IR/OwningOpRef.h"

namespace mlir::nnet3 {

/// Makes requests and minibatches of examples, which are chain examples if
/// there is a denominator graph. Errors are reported.
class ExampleRequests {
public:
  /// `runner` knows the dimensions of the network.
  ExampleRequests(const RequestRunner &runner,
                  const ::nnet3::rt::ChainTrainingOptions &chainOptions)
      : runner(runner), chainOptions(chainOptions) {}

  /// From now on examples are chain examples, unless `path` is empty.
  llvm::Error readDenominator(llvm::StringRef path);

  bool isChain() const { return denominator != nullptr; }

  /// A request beside the network.
  FailureOr<OwningOpRef<RequestOp>>
  createRequest(const ::nnet3::kaldi::AnyExample &example,
                const ExampleRequestOptions &options, Location loc) const;

  /// The data of `example`, which must live as long as the result.
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

#endif // NNET3_TOOLS_EXAMPLEREQUESTS_H
