//===- Numbers.h - Numbers in configs ---------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TARGET_KALDI_CONFIG_NUMBERS_H
#define LIB_TARGET_KALDI_CONFIG_NUMBERS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace mlir::nnet3 {

/// Parses all of `text` as an int32 with an optional sign.
std::optional<int32_t> parseInteger(llvm::StringRef text);

/// Parses all of `text` as a real number; `inf` and `nan` are valid.
std::optional<double> parseReal(llvm::StringRef text);

/// Returns the shortest text that reads back as the same number.
std::string formatDouble(double value);

/// Like formatDouble(), without an exponent.
std::string formatFixed(double value);

} // namespace mlir::nnet3

#endif // LIB_TARGET_KALDI_CONFIG_NUMBERS_H
