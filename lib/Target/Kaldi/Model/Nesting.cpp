//===- Nesting.cpp - Nesting depth of MLIR text ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Target/Kaldi/LoadModel.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace ::nnet3::kaldi;

using llvm::StringRef;

/// The same limit as clang's for brackets.
static constexpr int kMaxNesting = 256;

/// Operators in an affine expression. Each operator is a nesting level of the
/// expression, which MLIR visits recursively.
static constexpr int kMaxOperators = 4096;

/// Returns true if a binary operator of an affine expression begins at `i`.
static bool isOperator(StringRef text, size_t i) {
  if (StringRef("+-*").contains(text[i]))
    return !text.substr(i).starts_with("->");
  if (i > 0 && (llvm::isAlnum(text[i - 1]) || text[i - 1] == '_'))
    return false;
  StringRef word = text.substr(i, sizeof("floordiv"));
  word = word.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  return word == "mod" || word == "floordiv" || word == "ceildiv";
}

/// Returns the end of the string or comment that begins at `i`, or `i` if there
/// is none.
static size_t skipStringOrComment(StringRef text, size_t i) {
  if (text.substr(i).starts_with("//"))
    return std::min(text.find('\n', i), text.size());
  if (text[i] != '"')
    return i;
  for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
    i += text[i] == '\\';
  return std::min(i + 1, text.size());
}

static llvm::Error makeError(StringRef text, StringRef name, size_t i,
                             const llvm::Twine &message) {
  const StringRef before = text.take_front(i);
  ::nnet3::kaldi::FileLocation location;
  location.line = before.count('\n') + 1;
  location.column = i - (before.rfind('\n') + 1) + 1;
  return llvm::make_error<::nnet3::kaldi::KaldiError>(name.str(), location,
                                                      message.str());
}

static llvm::Error makeNestingError(StringRef text, StringRef name, size_t i) {
  return makeError(text, name, i,
                   "expects brackets nested at most " +
                       llvm::Twine(kMaxNesting) + " deep");
}

namespace {
/// Computes the nesting depth of alias definitions: MLIR visits the value of an
/// alias at every use.
class AliasDepths {
public:
  /// Returns the name of the alias at `i`; empty if there is none.
  static StringRef getName(StringRef text, size_t i);

  /// Returns the depth of a use of `name` at bracket depth `depth`. If `name`
  /// is defined at `i`, starts its definition.
  int visit(StringRef text, size_t i, StringRef name, int depth);
  void visitBracket(int depth) { update(depth); }
  /// Ends a definition at the end of its line.
  void endLine(int depth);

private:
  void update(int depth) {
    if (!current.empty()) {
      int &known = depths[current];
      known = std::max(known, depth);
      hasValue = true;
    }
  }

  llvm::StringMap<int> depths;
  StringRef current; ///< the alias that is being defined
  bool hasValue = false;
};
} // namespace

StringRef AliasDepths::getName(StringRef text, size_t i) {
  if (text[i] != '#' && text[i] != '!')
    return {};
  return text.substr(i).take_front(1 + text.substr(i + 1)
                                           .take_while([](char c) {
                                             return llvm::isAlnum(c) ||
                                                    c == '_' || c == '$' ||
                                                    c == '.';
                                           })
                                           .size());
}

int AliasDepths::visit(StringRef text, size_t i, StringRef name, int depth) {
  const StringRef rest = text.substr(i + name.size()).ltrim(" \t");
  const bool isFirst = i == 0 || text[i - 1] == '\n';
  if (isFirst && depth == 0 && rest.starts_with("=")) {
    current = name;
    hasValue = false;
    return 0;
  }
  auto found = depths.find(name);
  const int total = found == depths.end() ? depth : depth + 1 + found->second;
  update(total);
  return total;
}

void AliasDepths::endLine(int depth) {
  if (depth == 0 && hasValue)
    current = {};
}

llvm::Error mlir::nnet3::checkNesting(StringRef text, StringRef source) {
  int depth = 0, signs = 0, operators = 0;
  AliasDepths aliases;
  for (size_t i = 0; i < text.size();) {
    const size_t end = skipStringOrComment(text, i);
    if (end > i) {
      i = end;
      continue;
    }
    if (StringRef name = AliasDepths::getName(text, i); name.size() > 1) {
      if (aliases.visit(text, i, name, depth) > kMaxNesting)
        return makeNestingError(text, source, i);
      signs = 0;
      i += name.size();
      continue;
    }
    const char c = text[i];
    if (c == '\n')
      aliases.endLine(depth);
    const bool isArrow = i > 0 && text[i - 1] == '-' && c == '>';
    const bool isComparison = i + 1 < text.size() && text[i + 1] == '=';
    if (StringRef("([{").contains(c) || (c == '<' && !isComparison))
      aliases.visitBracket(++depth);
    else if (StringRef(")]}").contains(c) ||
             (c == '>' && !isArrow && !isComparison))
      depth = std::max(depth - 1, 0);
    // Each minus sign of a number or expression is a nesting level, too.
    signs = c == '-' ? signs + 1 : llvm::isSpace(c) ? signs : 0;
    if (depth > kMaxNesting || signs > kMaxNesting)
      return makeNestingError(text, source, i);
    // These characters end an expression.
    operators =
        StringRef(",:=").contains(c) ? 0 : operators + isOperator(text, i);
    if (operators > kMaxOperators)
      return makeError(text, source, i,
                       "expects expressions of at most " +
                           llvm::Twine(kMaxOperators) + " operators");
    ++i;
  }
  return llvm::Error::success();
}
