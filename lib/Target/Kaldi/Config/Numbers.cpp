//===- Numbers.cpp - Numbers in configs -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Numbers.h"

#include <charconv>

namespace mlir::nnet3 {

std::optional<int32_t> parseInteger(llvm::StringRef text) {
  // std::from_chars does not accept a plus sign.
  if (text.consume_front("+") && text.starts_with("-"))
    return std::nullopt;
  int32_t value;
  auto [end, error] = std::from_chars(text.begin(), text.end(), value);
  if (error != std::errc() || end != text.end())
    return std::nullopt;
  return value;
}

std::optional<double> parseReal(llvm::StringRef text) {
  if (text.consume_front("+") && text.starts_with("-"))
    return std::nullopt;
  double value;
  auto [end, error] = std::from_chars(text.begin(), text.end(), value);
  if (error != std::errc() || end != text.end())
    return std::nullopt;
  return value;
}

std::string formatDouble(double value) {
  char text[64];
  auto [end, error] = std::to_chars(text, text + sizeof(text), value);
  return std::string(text, end);
}

std::string formatFixed(double value) {
  // The largest double has 309 digits; the smallest has 324 digits after the
  // point.
  char text[512];
  auto [end, error] =
      std::to_chars(text, text + sizeof(text), value, std::chars_format::fixed);
  return std::string(text, end);
}

} // namespace mlir::nnet3
