//===- OptionParser.h - Kaldi's form of command lines -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options `--name=value` precede the positional arguments. Names are
// case-insensitive and `_` equals `-`; a boolean needs no value;
// `--config=FILE` reads options from a file; a bare `--` ends the options
// (spec: nnet3bin.md 1). llvm::cl does not support this, and ends the program
// on an error.
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_TOOLS_COMMON_OPTIONPARSER_H
#define NNET3_TOOLS_COMMON_OPTIONPARSER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir::nnet3 {

/// The options of one program. Registered variables must outlive the parser;
/// their values at registration are the defaults that the help text shows.
class OptionParser {
public:
  /// `usage` is the head of the help text. Registers `--help`, `--version` and
  /// `--config`; `-h` is `--help`.
  explicit OptionParser(llvm::StringRef usage);

  /// Prints the options that are registered from now on under `title` in the
  /// help text. Groups are in the order in which they begin.
  void beginGroup(llvm::StringRef title);

  void add(llvm::StringRef name, bool *value, llvm::StringRef help);
  void add(llvm::StringRef name, int32_t *value, llvm::StringRef help);
  void add(llvm::StringRef name, uint64_t *value, llvm::StringRef help);
  void add(llvm::StringRef name, float *value, llvm::StringRef help);
  void add(llvm::StringRef name, std::string *value, llvm::StringRef help);
  /// Adds an option that may occur several times.
  void add(llvm::StringRef name, std::vector<std::string> *values,
           llvm::StringRef help);

  /// Adds an option whose value is optional; without it, the value is `alone`.
  void addOptional(llvm::StringRef name, std::string *value,
                   llvm::StringRef alone, llvm::StringRef help);

  /// Add options that are checked, but have no effect.
  void addIgnoredBool(llvm::StringRef name, llvm::StringRef help);
  void addIgnoredInt(llvm::StringRef name, llvm::StringRef help);
  void addIgnoredString(llvm::StringRef name, llvm::StringRef help);

  /// Sets the registered variables from `arguments` (without the program's
  /// name) and returns the positional ones. An error names the invalid option,
  /// and the line for options of a config file.
  llvm::Expected<std::vector<std::string>>
  parse(llvm::ArrayRef<const char *> arguments);

  /// Whether option `name` was given, on the command line or in a file.
  bool wasGiven(llvm::StringRef name) const;
  /// Whether the program must only print its help or version.
  bool wantsText() const { return help || version; }
  /// Prints that text to the standard output; returns the exit status.
  int printText() const;
  /// Prints the usage, and the options of each group with their defaults.
  void printHelp(llvm::raw_ostream &os) const;

private:
  struct Option {
    std::string kind, defaultText, help;
    /// Sets the value; returns an error message, or an empty string on success.
    std::function<std::string(llvm::StringRef)> set;
    /// Whether the value may be missing, which equals an empty value.
    bool standsAlone = false;
    bool wasGiven = false;
    /// The number of its group.
    size_t group = 0;
  };

  void addOption(llvm::StringRef name, Option option);
  /// `next` is the next argument, if there is one.
  std::string setOption(llvm::StringRef argument, llvm::StringRef next);
  std::string describeUnknown(llvm::StringRef argument) const;
  void printGroup(size_t group, llvm::raw_ostream &os) const;
  llvm::Error readConfig(llvm::StringRef file);

  std::string usage;
  bool help = false, version = false;
  std::string config;
  /// The titles of the groups.
  std::vector<std::string> groups;
  /// By normalised name, so that the help text is sorted.
  std::map<std::string, Option> options;
};

/// Creates an error about the command line, which has no location in a file.
llvm::Error optionError(const llvm::Twine &message);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_COMMON_OPTIONPARSER_H
