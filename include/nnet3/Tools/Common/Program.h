//===- Program.h - Common parts of Kaldi's programs -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common parts of the programs in the binary nnet3 (spec: nnet3bin.md 1).
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_TOOLS_COMMON_PROGRAM_H
#define NNET3_TOOLS_COMMON_PROGRAM_H

#include "nnet3/Kaldi/Tables/Tables.h"
#include "nnet3/Tools/Common/OptionParser.h"

#include "llvm/ADT/Twine.h"

namespace mlir::nnet3 {

/// The command line of a program; a program adds its own options.
class ProgramOptions {
public:
  virtual ~ProgramOptions() = default;

  bool printArgs = true;
  bool allowScpPipes = false;
  int32_t verbose = 0;

  /// Registers all options with `parser`, which must not outlive this object.
  virtual void registerOptions(OptionParser &parser);

  /// Sets the positional arguments and checks that all options are consistent.
  virtual llvm::Error finish(llvm::ArrayRef<std::string> positional) = 0;

  /// Returns the options of reading and writing tables; warnings are printed to
  /// standard error.
  ::nnet3::kaldi::TableOptions getTableOptions() const;
};

/// Parses the command line into `options` and calls `run`, which returns the
/// exit status. Returns the exit status of the program.
int runProgram(const char *usage, int argc, char **argv,
               ProgramOptions &options, llvm::function_ref<int()> run);

/// Like the above, but `run` returns an error.
int runProgram(const char *usage, int argc, char **argv,
               ProgramOptions &options, llvm::function_ref<llvm::Error()> run);

/// Returns an error unless `value` of `option` is one of `values`.
llvm::Error expectOneOf(llvm::StringRef option, llvm::StringRef value,
                        llvm::ArrayRef<llvm::StringRef> values);

/// Return an error unless `value` of `option` is at least `least`, or at most
/// `most`.
llvm::Error expectAtLeast(llvm::StringRef option, double least, double value);
llvm::Error expectAtMost(llvm::StringRef option, double most, double value);

/// Disables the output of the functions below.
void silenceLog();

/// Prints `message` in the form of Kaldi's log to standard error.
void printLog(llvm::StringRef program, const llvm::Twine &message);
void printWarning(llvm::StringRef program, const llvm::Twine &message);

/// Formats a number with `digits` significant digits like C++ streams.
std::string showNumber(double value, int32_t digits = 6);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_COMMON_PROGRAM_H
