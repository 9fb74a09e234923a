//===- TableValue.h - The values of tables ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_KALDI_TABLES_TABLEVALUE_H
#define NNET3_KALDI_TABLES_TABLEVALUE_H

#include "nnet3/Kaldi/Examples/ChainExamples.h"
#include "nnet3/Kaldi/Examples/Posterior.h"
#include "nnet3/Kaldi/IO/Reader.h"
#include "nnet3/Kaldi/IO/Writer.h"
#include "nnet3/Kaldi/Sound/Wave.h"

namespace nnet3::kaldi {

/// Reads the value of a record, including its binary marker.
llvm::LogicalResult readTableValue(KaldiReader &reader, Matrix &value);
llvm::LogicalResult readTableValue(KaldiReader &reader,
                                   std::vector<float> &value);
llvm::LogicalResult readTableValue(KaldiReader &reader, GeneralMatrix &value);
llvm::LogicalResult readTableValue(KaldiReader &reader, GeneralVector &value);
/// In text, the numbers on the rest of the line; in binary, a count and numbers
/// that have a size byte each, unlike a vector in a model.
llvm::LogicalResult readTableValue(KaldiReader &reader,
                                   std::vector<int32_t> &value);
llvm::LogicalResult readTableValue(KaldiReader &reader, Posterior &value);
llvm::LogicalResult readTableValue(KaldiReader &reader, NnetExample &value);
llvm::LogicalResult readTableValue(KaldiReader &reader,
                                   NnetChainExample &value);
llvm::LogicalResult readTableValue(KaldiReader &reader, AnyExample &value);
llvm::LogicalResult readTableValue(KaldiReader &reader,
                                   ChainSupervision &value);
/// Reads a number.
llvm::LogicalResult readTableValue(KaldiReader &reader, float &value);
/// Reads one word on the rest of the line; always text.
llvm::LogicalResult readTableValue(KaldiReader &reader, std::string &value);
llvm::LogicalResult readTableValue(KaldiReader &reader,
                                   std::vector<std::string> &value);
/// Reads a WAV file.
llvm::LogicalResult readTableValue(KaldiReader &reader, Wave &value);

/// Cuts `value` down to `range`, the text in the brackets of a script line.
/// Returns an error message, or an empty string; sets `warning` if the range
/// exceeds the value.
std::string applyRange(llvm::StringRef range, Matrix &value,
                       std::string &warning);
std::string applyRange(llvm::StringRef range, GeneralMatrix &value,
                       std::string &warning);
std::string applyRange(llvm::StringRef range, std::vector<float> &value,
                       std::string &warning);
std::string applyRange(llvm::StringRef range, GeneralVector &value,
                       std::string &warning);
/// Other types do not support ranges.
template <typename T>
std::string applyRange(llvm::StringRef, T &, std::string &) {
  return "expects a range only for matrices and vectors";
}

/// Writes the value of a record, including its binary marker.
void writeTableValue(KaldiWriter &writer, const Matrix &value);
void writeTableValue(KaldiWriter &writer, const std::vector<float> &value);
void writeTableValue(KaldiWriter &writer, const GeneralMatrix &value);
void writeTableValue(KaldiWriter &writer, const GeneralVector &value);
void writeTableValue(KaldiWriter &writer, const std::vector<int32_t> &value);
void writeTableValue(KaldiWriter &writer, const Posterior &value);
void writeTableValue(KaldiWriter &writer, const NnetExample &value);
void writeTableValue(KaldiWriter &writer, const NnetChainExample &value);
void writeTableValue(KaldiWriter &writer, const AnyExample &value);
/// Always text.
void writeTableValue(KaldiWriter &writer, const std::string &value);

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_TABLES_TABLEVALUE_H
