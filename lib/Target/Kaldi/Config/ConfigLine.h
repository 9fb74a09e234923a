//===- ConfigLine.h - One line of a config ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TARGET_KALDI_CONFIG_CONFIGLINE_H
#define LIB_TARGET_KALDI_CONFIG_CONFIGLINE_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::nnet3 {

/// `key=value`, with the columns (1-based, in bytes) where they begin.
struct ConfigValue {
  llvm::StringRef key;
  llvm::StringRef value;
  unsigned keyColumn = 0;
  unsigned valueColumn = 0;
  /// Whether the key has been read.
  bool used = false;
};

/// How to handle a repeated key: take the first value, with a warning if the
/// values differ, or emit an error.
enum class RepeatedKey { FirstCounts, Error };

/// A line of a config: its first word and `key=value` pairs (spec: formats.md
/// 1.1). Refers to the text it was parsed from.
class ConfigLine {
public:
  /// Parses one line without its line end; emits an error on bad syntax.
  /// `shift` is the number of columns before the line in its file.
  static FailureOr<ConfigLine>
  parse(llvm::StringRef text, StringAttr fileName, unsigned lineNumber,
        unsigned shift = 0, RepeatedKey repeated = RepeatedKey::FirstCounts);

  /// Parses a value of this line as a separate line.
  FailureOr<ConfigLine> parseValueOf(const ConfigValue &value) const {
    return parse(value.value, fileName, lineNumber, value.valueColumn - 1);
  }

  /// Returns true if the line holds nothing but blanks and a comment.
  bool isEmpty() const { return word.empty() && values.empty(); }

  /// Returns the first word (`component`, `input-node`, ...); empty if the line
  /// begins with a key.
  llvm::StringRef getWord() const { return word; }
  Location getWordLoc() const { return getLoc(wordColumn); }

  /// Returns the value of `key` and marks it as used; null if there is none.
  const ConfigValue *take(llvm::StringRef key);

  /// Like `take`, but emits an error if there is no value. `subject` names the
  /// described object.
  const ConfigValue *require(llvm::StringRef key, const llvm::Twine &subject);

  /// Returns the value of `key`, an int32 of at least `minimum` (0 or 1); emits
  /// an error otherwise.
  FailureOr<int64_t> requireInteger(llvm::StringRef key, int64_t minimum,
                                    const llvm::Twine &subject);

  /// Emits an error at the first key that has not been used.
  LogicalResult verifyAllUsed(const llvm::Twine &subject);

  Location getLoc(unsigned column) const;
  Location getLoc(const ConfigValue &value) const {
    return getLoc(value.valueColumn);
  }

private:
  ConfigLine(StringAttr fileName, unsigned lineNumber, unsigned shift)
      : fileName(fileName), lineNumber(lineNumber), shift(shift) {}

  LogicalResult parseWord(llvm::StringRef text, size_t &pos);
  LogicalResult parseValue(llvm::StringRef text, size_t &pos,
                           RepeatedKey repeated);
  LogicalResult parseQuoted(llvm::StringRef text, size_t &pos,
                            ConfigValue &value);
  LogicalResult parseUnquoted(llvm::StringRef text, size_t &pos,
                              ConfigValue &value);

  StringAttr fileName;
  unsigned lineNumber;
  unsigned shift;
  llvm::StringRef word;
  unsigned wordColumn = 1;
  llvm::SmallVector<ConfigValue> values;
};

} // namespace mlir::nnet3

#endif // LIB_TARGET_KALDI_CONFIG_CONFIGLINE_H
