//===- Nesting.cpp - How deep MLIR text is nested -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Kaldi/KaldiError.h"
#include "nnet3/Target/Kaldi/LoadModel.h"

#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

/// As clang has it for brackets.
static constexpr int kMaxNesting = 256;

/// The end of the string or comment that begins at `i`, or `i` itself.
static size_t skipStringOrComment(StringRef text, size_t i) {
  if (text.substr(i).starts_with("//"))
    return std::min(text.find('\n', i), text.size());
  if (text[i] != '"')
    return i;
  for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
    i += text[i] == '\\';
  return std::min(i + 1, text.size());
}

static llvm::Error makeError(StringRef text, StringRef name, size_t i) {
  const StringRef before = text.take_front(i);
  nnet3::FileLocation location;
  location.line = before.count('\n') + 1;
  location.column = i - (before.rfind('\n') + 1) + 1;
  return llvm::make_error<nnet3::KaldiError>(
      name.str(), location,
      "expects brackets nested at most " + std::to_string(kMaxNesting) +
          " deep");
}

llvm::Error nnet3::checkNesting(StringRef text, StringRef name) {
  int depth = 0, signs = 0;
  for (size_t i = 0; i < text.size();) {
    const size_t end = skipStringOrComment(text, i);
    if (end > i) {
      i = end;
      continue;
    }
    const char c = text[i];
    const bool isArrow = i > 0 && text[i - 1] == '-' && c == '>';
    const bool isComparison = i + 1 < text.size() && text[i + 1] == '=';
    if (StringRef("([{").contains(c) || (c == '<' && !isComparison))
      ++depth;
    else if (StringRef(")]}").contains(c) ||
             (c == '>' && !isArrow && !isComparison))
      depth = std::max(depth - 1, 0);
    // Each sign of a number or an expression is a level, too.
    signs = c == '-' ? signs + 1 : llvm::isSpace(c) ? signs : 0;
    if (depth > kMaxNesting || signs > kMaxNesting)
      return makeError(text, name, i);
    ++i;
  }
  return llvm::Error::success();
}
