//===- ExampleMinibatch.h - Minibatches for the trainer ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_COMMON_EXAMPLEMINIBATCH_H
#define NNET3_TOOLS_COMMON_EXAMPLEMINIBATCH_H

#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"
#include "nnet3/Kaldi/Examples/ChainExamples.h"
#include "nnet3/runtime/ChainSupervisor.h"
#include "nnet3/runtime/Trainer.h"

#include <deque>
#include <optional>

namespace mlir::nnet3 {

/// A minibatch, and the memory of its matrices.
class ExampleMinibatch {
public:
  /// Has the inputs and supervision of `example`; `isInput` distinguishes them.
  /// `example` must outlive the minibatch.
  ExampleMinibatch(const ::nnet3::kaldi::NnetExample &example,
                   llvm::function_ref<bool(llvm::StringRef io)> isInput);

  /// Has the inputs of `example` and the supervision of `chainOutputs`.
  ExampleMinibatch(
      const ::nnet3::kaldi::NnetChainExample &example,
      std::shared_ptr<const ::nnet3::rt::DenominatorGraph> denominator,
      const ::nnet3::rt::ChainTrainingOptions &options,
      std::vector<::nnet3::rt::ChainOutput> chainOutputs,
      llvm::function_ref<bool(llvm::StringRef io)> isInput);

  ExampleMinibatch(const ExampleMinibatch &) = delete;
  ExampleMinibatch &operator=(const ExampleMinibatch &) = delete;

  const ::nnet3::rt::Minibatch &get() const { return minibatch; }

private:
  /// Sparse rows in the runtime's format.
  struct SparseRows {
    std::vector<int64_t> rowBegin;
    std::vector<int32_t> columns;
    std::vector<float> values;
  };

  ::nnet3::rt::ConstMatrixView
  addFull(const ::nnet3::kaldi::GeneralMatrix &matrix);
  ::nnet3::rt::SparseMatrixView
  addSparse(const ::nnet3::kaldi::SparseMatrix &matrix);

  // Deques, since the minibatch has pointers to them.
  std::deque<::nnet3::kaldi::Matrix> matrices;
  std::deque<SparseRows> sparseRows;
  std::optional<::nnet3::rt::ChainSupervisor> supervisor;
  ::nnet3::rt::Minibatch minibatch;
};

/// Converts the supervision of `example` to the runtime's format.
llvm::Expected<std::vector<::nnet3::rt::ChainOutput>>
getChainOutputs(const ::nnet3::kaldi::NnetChainExample &example);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_COMMON_EXAMPLEMINIBATCH_H
