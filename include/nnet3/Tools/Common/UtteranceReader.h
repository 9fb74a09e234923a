//===- UtteranceReader.h - Utterances of tables -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_COMMON_UTTERANCEREADER_H
#define NNET3_TOOLS_COMMON_UTTERANCEREADER_H

#include "nnet3/Kaldi/Tables/Tables.h"
#include "nnet3/Tools/Common/UtteranceOptions.h"

namespace mlir::nnet3 {

/// Reads utterances with their i-vectors.
class UtteranceReader {
public:
  /// Receives the reason for each skipped utterance.
  using Skip = std::function<void(const llvm::Twine &reason)>;

  /// Reads `features`, and opens the tables that the options name.
  static llvm::Expected<std::unique_ptr<UtteranceReader>>
  open(std::unique_ptr<::nnet3::kaldi::SequentialMatrixReader> features,
       const UtteranceOptions &options,
       const ::nnet3::kaldi::TableOptions &tableOptions, Skip skip);

  /// Returns the next utterance with frames and i-vectors, valid until the next
  /// call; null at the end, after checking that all tables were complete.
  llvm::Expected<const Utterance *> next();

private:
  llvm::Expected<bool> findIvector();
  llvm::Expected<bool> findOnlineIvectors();
  llvm::Error close();

  std::unique_ptr<::nnet3::kaldi::SequentialMatrixReader> features;
  std::unique_ptr<::nnet3::kaldi::RandomAccessVectorReader> ivectors;
  std::unique_ptr<::nnet3::kaldi::RandomAccessTokenReader> speakers;
  std::unique_ptr<::nnet3::kaldi::RandomAccessMatrixReader> onlineIvectors;
  Skip skip;
  Utterance utterance;
};

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_COMMON_UTTERANCEREADER_H
