//===- TableValue.h - The values of tables ----------------------*- C++ -*-===//
#ifndef NNET3_LIB_TARGET_KALDI_TABLEVALUE_H
#define NNET3_LIB_TARGET_KALDI_TABLEVALUE_H

#include "nnet3/Target/Kaldi/Reader.h"
#include "nnet3/Target/Kaldi/Writer.h"

namespace nnet3 {

/// Reads the value of a record, its mode included.
llvm::LogicalResult readTableValue(KaldiReader &reader, Matrix &value);
llvm::LogicalResult readTableValue(KaldiReader &reader,
                                   std::vector<float> &value);
/// A word alone on the rest of the line; always text.
llvm::LogicalResult readTableValue(KaldiReader &reader, std::string &value);

/// Keeps the part of `value` that `range`, the inside of the brackets in a
/// script file, names. Returns what is wrong, or an empty string; `warning` is
/// set where the range was cut at the end of the value.
std::string applyRange(llvm::StringRef range, Matrix &value,
                       std::string &warning);
std::string applyRange(llvm::StringRef range, std::vector<float> &value,
                       std::string &warning);
std::string applyRange(llvm::StringRef range, std::string &value,
                       std::string &warning);

/// Writes the value of a record, its mode included.
void writeTableValue(KaldiWriter &writer, const Matrix &value);
void writeTableValue(KaldiWriter &writer, const std::vector<float> &value);

} // namespace nnet3

#endif // NNET3_LIB_TARGET_KALDI_TABLEVALUE_H
