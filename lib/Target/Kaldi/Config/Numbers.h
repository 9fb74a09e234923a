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

/// The whole of `text` as an int32, with an optional sign.
std::optional<int32_t> parseInteger(llvm::StringRef text);

/// The whole of `text` as a real number; `inf` and `nan` are numbers.
std::optional<double> parseReal(llvm::StringRef text);

/// The fewest digits that read back as the same number.
std::string formatDouble(double value);

/// The same without an exponent.
std::string formatFixed(double value);

} // namespace mlir::nnet3

#endif // LIB_TARGET_KALDI_CONFIG_NUMBERS_H
