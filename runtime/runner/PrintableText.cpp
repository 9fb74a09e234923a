//===- PrintableText.cpp - Escaping of text for terminals -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PrintableText.h"

#include <algorithm>
#include <cstdio>

using namespace nnet3::rt;

/// Returns the number of bytes of the first character of `text`; 0 if it is not
/// printable.
static size_t printableLength(std::string_view text) {
  const auto byte = [&](size_t i) {
    return static_cast<unsigned char>(text[i]);
  };
  const unsigned char first = byte(0);
  if (first < 0x80)
    return (first >= ' ' && first < 0x7f) || first == '\n' ? 1 : 0;
  const size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length)
    return 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80)
      return 0;
  // U+0080 to U+009F are control characters.
  return first == 0xc2 && byte(1) < 0xa0 ? 0 : length;
}

std::string nnet3::rt::makePrintable(std::string_view text) {
  constexpr size_t kMaxSize = 1000;
  std::string result;
  while (!text.empty() && result.size() < kMaxSize) {
    const size_t length = printableLength(text);
    if (length == 0) {
      char escaped[4];
      std::snprintf(escaped, sizeof(escaped), "\\%02X",
                    static_cast<unsigned char>(text[0]));
      result += escaped;
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(std::max<size_t>(1, length));
  }
  return text.empty() ? result : result + "...";
}
