//===- Mutator.cpp - Random changes of MLIR text --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Mutator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace mlir::nnet3::mutation;
using mlir::nnet3::property::Random;

static bool isWordChar(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$' || c == '-';
}

/// Returns the end of the token that begins at `begin`.
static size_t findEnd(const std::string &text, size_t begin) {
  size_t end = begin + 1;
  const char first = text[begin];
  if (first == '"') {
    while (end < text.size() && text[end] != '"')
      end += text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size());
  }
  if (llvm::isSpace(first)) {
    while (end < text.size() && llvm::isSpace(text[end]) && first != '\n' &&
           text[end] != '\n')
      ++end;
    return end;
  }
  // A type with its dims is one token.
  if (text.compare(begin, 7, "memref<") == 0 ||
      text.compare(begin, 7, "tensor<") == 0 ||
      text.compare(begin, 7, "vector<") == 0) {
    int depth = 0;
    for (end = begin + 6; end < text.size(); ++end) {
      depth += text[end] == '<' ? 1 : text[end] == '>' ? -1 : 0;
      if (depth == 0)
        return end + 1;
    }
    return end;
  }
  if (isWordChar(first) || first == '@' || first == '%' || first == '!' ||
      first == '#')
    while (end < text.size() && isWordChar(text[end]) &&
           !(text[end] == '-' && first != '@' && !llvm::isAlpha(first)))
      ++end;
  return end;
}

Mutator::Mutator(const std::string &text) {
  for (size_t begin = 0, end; begin < text.size(); begin = end) {
    end = findEnd(text, begin);
    std::string token = text.substr(begin, end - begin);
    const char first = token[0];
    Kind kind = Kind::Other;
    if (llvm::isDigit(first))
      kind = Kind::Number;
    else if (first == '@')
      kind = Kind::Symbol;
    else if (first == '%')
      kind = Kind::Value;
    else if (first == '"')
      kind = Kind::String;
    else if (token.back() == '>' || first == '!')
      kind = token.size() > 1 ? Kind::Type : Kind::Other;
    else if (isWordChar(first) && token != "-")
      kind = Kind::Word;
    texts[kind].push_back(token);
    tokens.push_back({kind, std::move(token)});
  }
}

/// Returns a replacement for a number: a fixed one, or one that occurs in the
/// text.
static std::string getNumber(const std::string &old, Random &random) {
  static const std::vector<std::string> numbers = {
      "0",          "1",          "2",
      "7",          "-1",         "2147483647",
      "2147483648", "4294967296", "9223372036854775807",
      "1000000",    "-2147483648"};
  uint64_t value;
  if (random.chance(0.5) && !llvm::StringRef(old).getAsInteger(10, value))
    return std::to_string(int64_t(value + random.between(-1, 1)));
  return random.pick(numbers);
}

/// Replaces a token by another one of its kind; names more often than their
/// frequency suggests.
void Mutator::replace(Tokens &tokens, Random &random) const {
  static const std::vector<Kind> kinds = {
      Kind::Number, Kind::Number, Kind::Number, Kind::Symbol, Kind::Symbol,
      Kind::Word,   Kind::Value,  Kind::Type,   Kind::String};
  const Kind kind = random.pick(kinds);
  std::vector<size_t> candidates;
  for (auto [i, token] : llvm::enumerate(tokens))
    if (token.kind == kind)
      candidates.push_back(i);
  if (candidates.empty())
    return;
  Token &token = tokens[random.pick(candidates)];
  if (kind == Kind::Number && random.chance(0.6))
    token.text = getNumber(token.text, random);
  else if (kind == Kind::Type && random.chance(0.4))
    for (char &c : token.text)
      c = llvm::isDigit(c) && random.chance(0.3) ? '0' + random.between(0, 9)
                                                 : c;
  else
    token.text = random.pick(texts.at(kind));
}

static bool isScalarType(llvm::StringRef text) {
  return text == "index" || text == "bf16" || text == "tf32" ||
         ((text.consume_front("i") || text.consume_front("f")) &&
          llvm::all_of(text, llvm::isDigit) && !text.empty());
}

/// Replaces a type by one that may be in no module of this stage.
void Mutator::changeType(Tokens &tokens, Random &random) const {
  static const std::vector<std::string> types = {"index",
                                                 "i1",
                                                 "i8",
                                                 "i64",
                                                 "i128",
                                                 "bf16",
                                                 "f64",
                                                 "tf32",
                                                 "none",
                                                 "complex<f32>",
                                                 "tuple<>",
                                                 "tensor<4xf32>",
                                                 "memref<4xf32>",
                                                 "vector<4xindex>",
                                                 "vector<[4]xf32>",
                                                 "!llvm.ptr",
                                                 "!llvm.void",
                                                 "!llvm.struct<(f32)>"};
  std::vector<size_t> candidates;
  for (auto [i, token] : llvm::enumerate(tokens))
    if (token.kind == Kind::Type || isScalarType(token.text))
      candidates.push_back(i);
  if (candidates.empty())
    return replace(tokens, random);
  tokens[random.pick(candidates)].text = random.pick(types);
}

/// Returns the first token from `i` on that equals `text`, or the end.
template <typename Tokens>
static size_t find(const Tokens &tokens, size_t i, llvm::StringRef text) {
  while (i < tokens.size() && tokens[i].text != text)
    ++i;
  return i;
}

/// Returns the end of the list entry, or of the bracketed text, that begins at
/// token `i`.
template <typename Tokens>
static size_t findEntryEnd(const Tokens &tokens, size_t i) {
  int depth = 0;
  for (; i < tokens.size(); ++i) {
    const std::string &text = tokens[i].text;
    if (text == "{" || text == "[" || text == "(" || text == "<")
      ++depth;
    if (text == "}" || text == "]" || text == ")" || text == ">")
      if (--depth < 0)
        return i;
    if ((depth == 0 && text == ",") || text == "\n")
      return i;
  }
  return i;
}

/// Replaces the value after `=`, such as an attribute's, by a value of any
/// kind.
void Mutator::changeAttribute(Tokens &tokens, Random &random) const {
  static const std::vector<std::string> values = {
      "\"x\"",     "0 : i64",
      "-1 : i64",  "2147483648 : i64",
      "1 : i32",   "unit",
      "1.5 : f32", "[]",
      "{}",        "@x",
      "true",      "[0]",
      "f32",       "array<i64>",
      "1 : index", "dense<0> : tensor<2xi32>",
      "[\"x\"]",   "array<i64: 7>",
      "{x = 1}",   "9223372036854775807 : i64",
      "1.5 : f64"};
  const size_t equals =
      find(tokens, random.between(0, int(tokens.size()) - 1), "=");
  if (equals == tokens.size())
    return replace(tokens, random);
  const size_t end = findEntryEnd(tokens, equals + 1);
  tokens[equals].text = "= " + random.pick(values);
  tokens.erase(tokens.begin() + equals + 1, tokens.begin() + end);
}

/// Removes an entry of a list: an attribute, an operand, a type.
void Mutator::eraseEntry(Tokens &tokens, Random &random) const {
  static const std::vector<std::string> opening = {"{", "[", "(", "<", ","};
  const size_t begin = find(tokens, random.between(0, int(tokens.size()) - 1),
                            random.pick(opening));
  if (begin == tokens.size())
    return replace(tokens, random);
  const size_t end = findEntryEnd(tokens, begin + 1);
  const bool isFirst = tokens[begin].text != ",";
  const bool isLast = end < tokens.size() && tokens[end].text != ",";
  tokens.erase(tokens.begin() + begin + isFirst,
               tokens.begin() + end + (isFirst && !isLast));
}

/// Removes, repeats or moves a line.
void Mutator::changeLine(Tokens &tokens, Random &random) const {
  auto getLine = [&](size_t i, size_t &begin, size_t &end) {
    for (begin = i; begin > 0 && tokens[begin - 1].text != "\n";)
      --begin;
    end = std::min(find(tokens, i, "\n") + 1, tokens.size());
  };
  size_t begin, end, other, behind;
  getLine(random.between(0, int(tokens.size()) - 1), begin, end);
  Tokens line(tokens.begin() + begin, tokens.begin() + end);
  const int what = random.between(0, 2);
  if (what != 1)
    tokens.erase(tokens.begin() + begin, tokens.begin() + end);
  if (what == 0 || tokens.empty())
    return;
  getLine(random.between(0, int(tokens.size()) - 1), other, behind);
  tokens.insert(tokens.begin() + other, line.begin(), line.end());
}

void Mutator::change(Tokens &tokens, Random &random) const {
  const int what = random.between(0, 10);
  if (what == 10)
    changeType(tokens, random);
  else if (what < 5)
    replace(tokens, random);
  else if (what < 7)
    changeAttribute(tokens, random);
  else if (what < 9)
    eraseEntry(tokens, random);
  else
    changeLine(tokens, random);
}

std::string Mutator::mutate(Random &random) const {
  Tokens changed = tokens;
  do {
    change(changed, random);
  } while (random.chance(0.2) && !changed.empty());
  std::string text;
  for (const Token &token : changed)
    text += token.text;
  return text;
}
