//===- ConfigText.h - Kaldi's configuration files ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses lines `--name=value` for features and i-vectors (spec: ivectors.md
// 1.5). Independent of the rest of the runtime.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CORE_CONFIGTEXT_H
#define NNET3_RUNTIME_CORE_CONFIGTEXT_H

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

namespace nnet3 {
namespace rt {

inline std::string_view trimBlanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\f\v";
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

/// An option without a value is true.
inline bool parseFlag(std::string_view text, bool &value) {
  value = text == "true" || text == "t" || text == "1" || text.empty();
  return value || text == "false" || text == "f" || text == "0";
}

/// An integer, or a finite floating-point number.
template <typename T> bool parseNumber(std::string_view text, T &value) {
  if (!text.empty() && text.front() == '+')
    text.remove_prefix(1);
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() &&
         std::isfinite(static_cast<double>(value));
}

/// Splits `--name=value` and calls `set(name, value)` with the normalised name.
/// Returns an error message, from here or from \p set, or an empty string.
template <typename SetOption>
std::string parseOption(std::string_view text, SetOption &&set) {
  if (text.substr(0, 2) != "--")
    return "expects '--NAME=VALUE'";
  text.remove_prefix(2);
  const size_t equals = text.find('=');
  std::string name(text.substr(0, equals));
  for (char &c : name)
    c = c == '_' ? '-' : c;
  return set(std::string_view(name), equals == std::string_view::npos
                                         ? std::string_view()
                                         : text.substr(equals + 1));
}

/// Calls \p set for each line of a configuration file. Returns the message of
/// the first error, prefixed with `LINE:COLUMN: `, or an empty string.
template <typename SetOption>
std::string parseConfig(std::string_view text, SetOption &&set) {
  for (int64_t number = 1; !text.empty(); ++number) {
    const size_t end = text.find('\n');
    const std::string_view whole = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const std::string_view line = trimBlanks(whole.substr(0, whole.find('#')));
    if (line.empty())
      continue;
    if (std::string error = parseOption(line, set); !error.empty())
      return std::to_string(number) + ":" +
             std::to_string(line.data() - whole.data() + 1) + ": " + error;
  }
  return {};
}

/// Returns "--name expects RANGE, not VALUE".
template <typename T>
std::string expectValue(std::string_view name, std::string_view range,
                        T value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof(text), value).ptr;
  return "--" + std::string(name) + " expects " + std::string(range) +
         ", not " + std::string(text, end);
}

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CORE_CONFIGTEXT_H
