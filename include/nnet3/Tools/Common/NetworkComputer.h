//===- NetworkComputer.h - Networks on tables of features -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_COMMON_NETWORKCOMPUTER_H
#define NNET3_TOOLS_COMMON_NETWORKCOMPUTER_H

#include "nnet3/Execution/NnetRunner.h"
#include "nnet3/Kaldi/Tables/Tables.h"
#include "nnet3/Tools/Common/UtteranceOptions.h"

namespace mlir::nnet3 {

/// Computes utterances with the interpreter.
struct NetworkComputer {
  std::unique_ptr<NnetRunner> runner;
  std::unique_ptr<UtteranceComputer> utterances;

  /// Sets `network`, which was read from `file`, to test mode. It must not
  /// change during the lifetime of the result. Emits errors.
  static FailureOr<NetworkComputer> create(NetworkOp network,
                                           llvm::StringRef file,
                                           const RunnerOptions &runnerOptions,
                                           const UtteranceOptions &options);
};

/// Calls `use` for each utterance of the table `features`. Prints warnings in
/// the name of `program` about utterances that are skipped. Fails if no
/// utterance is left. Emits errors.
LogicalResult
forEachUtterance(MLIRContext *context, llvm::StringRef program,
                 llvm::StringRef features, const UtteranceOptions &options,
                 const ::nnet3::kaldi::TableOptions &tableOptions,
                 llvm::function_ref<LogicalResult(const Utterance &)> use);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_COMMON_NETWORKCOMPUTER_H
