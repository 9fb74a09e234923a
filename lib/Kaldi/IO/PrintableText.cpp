//===- PrintableText.cpp - Text that a terminal may show ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Kaldi/IO/PrintableText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Unicode.h"
#include <algorithm>

using namespace nnet3::kaldi;
using llvm::StringRef;

/// Returns the number of bytes of the printable character at the beginning of
/// `text`; 0 if it is not printable.
static size_t getPrintableLength(StringRef text) {
  unsigned char first = text.front();
  if (first < 0x80)
    return llvm::isPrint(first) || first == '\n' ? 1 : 0;
  size_t length = llvm::getNumBytesForUTF8(first);
  bool prints = length <= text.size() && llvm::sys::unicode::columnWidthUTF8(
                                             text.take_front(length)) > 0;
  return prints ? length : 0;
}

std::string nnet3::kaldi::makePrintable(StringRef text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    size_t length = getPrintableLength(text);
    if (length == 0) {
      result += "\\" + llvm::toHex(text.take_front());
      length = 1;
    } else {
      result += text.take_front(length);
    }
    text = text.drop_front(length);
  }
  return result;
}

static bool isContinuation(char c) { return (c & 0xc0) == 0x80; }

/// Returns the longest prefix of `text` of at most `size` bytes that ends
/// between characters.
static StringRef takeFront(StringRef text, size_t size) {
  while (size > 0 && size < text.size() && isContinuation(text[size]))
    --size;
  return text.take_front(size);
}

/// Returns the longest suffix of `text` of at most `size` bytes that begins
/// between characters.
static StringRef takeBack(StringRef text, size_t size) {
  text = text.take_back(size);
  return text.drop_while(isContinuation);
}

std::string nnet3::kaldi::makeShortMessage(StringRef text) {
  constexpr size_t kMaxLine = 1000, kMaxSize = 4000;
  std::string result;
  while (result.size() < kMaxSize) {
    auto [line, rest] = text.split('\n');
    std::string shown = makePrintable(takeFront(line, kMaxLine));
    result += takeFront(shown, kMaxLine);
    if (shown.size() > kMaxLine || line.size() > kMaxLine)
      result += "...";
    if (line.size() == text.size())
      return result;
    result += '\n';
    text = rest;
  }
  return result + "...";
}

/// Returns the printable form of a part of a line.
static std::string printPart(StringRef part) {
  std::string text = part.str();
  std::replace(text.begin(), text.end(), '\t', ' ');
  return makePrintable(text);
}

LineExcerpt nnet3::kaldi::excerptLine(StringRef line, size_t column) {
  constexpr size_t kMaxSize = 200;
  constexpr StringRef kCut = "...";
  column = std::min(column, line.size());
  // One byte more than the limit shows that the line continues.
  std::string left = printPart(takeBack(line.take_front(column), kMaxSize + 1));
  std::string right =
      printPart(takeFront(line.drop_front(column), kMaxSize + 1));
  size_t leftSize =
      std::max(kMaxSize / 2, kMaxSize - std::min(kMaxSize, right.size()));
  if (left.size() > leftSize)
    left = (kCut + takeBack(left, leftSize - kCut.size())).str();
  size_t rightSize = kMaxSize - left.size();
  if (right.size() > rightSize)
    right = (takeFront(right, rightSize - kCut.size()) + kCut).str();
  unsigned caret = llvm::sys::unicode::columnWidthUTF8(left);
  return {left + right, caret};
}
