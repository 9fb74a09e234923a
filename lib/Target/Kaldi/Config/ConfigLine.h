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
  /// Whether something has asked for the key.
  bool used = false;
};

/// What it means to give a key twice: only a warning, unless the values are the
/// same, or an error.
enum class RepeatedKey { FirstCounts, Error };

/// A line of a config: its first word and `key=value` pairs (spec: formats.md
/// 1.1). Refers to the text it was parsed from.
class ConfigLine {
public:
  /// Parses one line, without its end; emits an error and fails on bad syntax.
  /// `shift` columns come before it in the file.
  static FailureOr<ConfigLine>
  parse(llvm::StringRef text, StringAttr fileName, unsigned lineNumber,
        unsigned shift = 0, RepeatedKey repeated = RepeatedKey::FirstCounts);

  /// Parses a value of this line as a line of its own.
  FailureOr<ConfigLine> parseValueOf(const ConfigValue &value) const {
    return parse(value.value, fileName, lineNumber, value.valueColumn - 1);
  }

  /// Whether the line holds nothing but blanks and a comment.
  bool isEmpty() const { return word.empty() && values.empty(); }

  /// What the line describes (`component`, `input-node`, ...); empty if it
  /// begins with a key.
  llvm::StringRef getWord() const { return word; }
  Location getWordLoc() const { return getLoc(wordColumn); }

  /// The value of `key`, marked as used; null if there is none.
  const ConfigValue *take(llvm::StringRef key);

  /// As `take`, but emits an error if there is no value. `subject` names what
  /// the line describes.
  const ConfigValue *require(llvm::StringRef key, const llvm::Twine &subject);

  /// The value of `key`, which must be an int32 of at least `minimum`, 1 or 0;
  /// emits an error otherwise.
  FailureOr<int64_t> requireInteger(llvm::StringRef key, int64_t minimum,
                                    const llvm::Twine &subject);

  /// An error at the first key that nothing has asked for.
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
