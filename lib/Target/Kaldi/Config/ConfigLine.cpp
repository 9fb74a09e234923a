//===- ConfigLine.cpp - One line of a config ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ConfigLine.h"

#include "Numbers.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Target/Kaldi/DescriptorParser.h"

using namespace ::nnet3::kaldi;

using mlir::failed;
using mlir::failure;
using mlir::FailureOr;
using mlir::FileLineColLoc;
using mlir::Location;
using mlir::LogicalResult;
using mlir::StringAttr;
using mlir::success;

namespace mlir::nnet3 {

static constexpr llvm::StringLiteral kBlanks = " \t\r\v\f";

Location ConfigLine::getLoc(unsigned column) const {
  return FileLineColLoc::get(fileName, lineNumber, shift + column);
}

FailureOr<ConfigLine> ConfigLine::parse(llvm::StringRef text,
                                        StringAttr fileName,
                                        unsigned lineNumber, unsigned shift,
                                        RepeatedKey repeated) {
  ConfigLine line(fileName, lineNumber, shift);
  text = text.take_front(text.find('#')).rtrim(kBlanks);
  size_t pos = std::min(text.find_first_not_of(kBlanks), text.size());
  if (pos == text.size())
    return line;
  if (failed(line.parseWord(text, pos)))
    return failure();
  while (pos < text.size())
    if (failed(line.parseValue(text, pos, repeated)))
      return failure();
  return line;
}

/// Parses the first word, unless the line begins with `key=`.
LogicalResult ConfigLine::parseWord(llvm::StringRef text, size_t &pos) {
  size_t end = std::min(text.find_first_of(kBlanks, pos), text.size());
  wordColumn = pos + 1;
  if (text.slice(pos, end).contains('='))
    return success();
  word = text.slice(pos, end);
  pos = std::min(text.find_first_not_of(kBlanks, end), text.size());
  return success();
}

LogicalResult ConfigLine::parseValue(llvm::StringRef text, size_t &pos,
                                     RepeatedKey repeated) {
  size_t equals = text.find('=', pos);
  llvm::StringRef key = text.slice(pos, equals);
  llvm::StringRef firstWord = key.take_front(key.find_first_of(kBlanks));
  if (equals == llvm::StringRef::npos || firstWord.size() != key.size())
    return emitError(getLoc(pos + 1))
           << "word " << quoteForMessage(firstWord) << " without '='";
  if (!isNameToken(key))
    return emitError(getLoc(pos + 1)) << "invalid key " << quoteForMessage(key);

  ConfigValue value;
  value.key = key;
  value.keyColumn = pos + 1;
  pos = equals + 1;
  bool quoted = pos < text.size() && (text[pos] == '\'' || text[pos] == '"');
  if (failed(quoted ? parseQuoted(text, pos, value)
                    : parseUnquoted(text, pos, value)))
    return failure();
  pos = std::min(text.find_first_not_of(kBlanks, pos), text.size());
  const ConfigValue *first = llvm::find_if(
      values, [&](const ConfigValue &other) { return other.key == key; });
  if (first == values.end()) {
    values.push_back(value);
    return success();
  }
  if (repeated == RepeatedKey::Error)
    return emitError(getLoc(value.keyColumn))
           << "key '" << key << "' is given twice";
  // Recipes append defaults after the user's options, so the first value
  // counts.
  if (first->value != value.value)
    emitWarning(getLoc(value.keyColumn))
        << "key '" << key << "' is given before; this value is ignored";
  return success();
}

LogicalResult ConfigLine::parseQuoted(llvm::StringRef text, size_t &pos,
                                      ConfigValue &value) {
  size_t end = text.find(text[pos], pos + 1);
  if (end == llvm::StringRef::npos)
    return emitError(getLoc(pos + 1)) << "missing closing quote";
  value.value = text.slice(pos + 1, end);
  value.valueColumn = pos + 2;
  pos = end + 1;
  if (pos < text.size() && !kBlanks.contains(text[pos]))
    return emitError(getLoc(pos + 1)) << "expects a blank after a quoted value";
  return success();
}

/// Parses a value that extends to the last blank before the next `=`, so that
/// descriptors need no quotes.
LogicalResult ConfigLine::parseUnquoted(llvm::StringRef text, size_t &pos,
                                        ConfigValue &value) {
  size_t start = std::min(text.find_first_not_of(kBlanks, pos), text.size());
  size_t end = text.size();
  if (size_t equals = text.find('=', pos); equals != llvm::StringRef::npos) {
    size_t blank = text.slice(pos, equals).find_last_of(kBlanks);
    if (blank == llvm::StringRef::npos)
      return emitError(getLoc(equals + 1))
             << "a value that contains '=' needs quotes";
    end = pos + blank;
  }
  start = std::min(start, end);
  value.value = text.slice(start, end).rtrim(kBlanks);
  value.valueColumn = start + 1;
  pos = end;
  // Only descriptors may contain blanks. Elsewhere, a blank means that the next
  // word lacks its '='.
  size_t blank = value.value.find_first_of(kBlanks);
  if (value.key == "input" || blank == llvm::StringRef::npos)
    return success();
  size_t next = value.value.find_first_not_of(kBlanks, blank);
  llvm::StringRef word = value.value.drop_front(next);
  word = word.take_front(word.find_first_of(kBlanks));
  return emitError(getLoc(value.valueColumn + next))
         << "word " << quoteForMessage(word) << " without '='";
}

const ConfigValue *ConfigLine::take(llvm::StringRef key) {
  for (ConfigValue &value : values)
    if (value.key == key) {
      value.used = true;
      return &value;
    }
  return nullptr;
}

const ConfigValue *ConfigLine::require(llvm::StringRef key,
                                       const llvm::Twine &subject) {
  const ConfigValue *value = take(key);
  if (!value)
    emitError(getWordLoc()) << subject << " has no " << key;
  return value;
}

FailureOr<int64_t> ConfigLine::requireInteger(llvm::StringRef key,
                                              int64_t minimum,
                                              const llvm::Twine &subject) {
  const ConfigValue *value = require(key, subject);
  if (!value)
    return failure();
  std::optional<int32_t> number = parseInteger(value->value);
  if (!number)
    return emitError(getLoc(*value))
           << "expects an integer as " << key << ", but got "
           << quoteForMessage(value->value);
  if (*number < minimum)
    return emitError(getLoc(*value))
           << "expects " << key << " to be "
           << (minimum > 0 ? "positive" : "not negative") << ", but got "
           << *number;
  return *number;
}

LogicalResult ConfigLine::verifyAllUsed(const llvm::Twine &subject) {
  for (const ConfigValue &value : values)
    if (!value.used)
      return emitError(getLoc(value.keyColumn))
             << "unknown key '" << value.key << "' for " << subject;
  return success();
}

} // namespace mlir::nnet3
