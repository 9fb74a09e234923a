//===- Program.h - The frame of Kaldi's programs ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the programs of the binary nnet3 share (spec: nnet3bin.md 1).
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_TOOLS_PROGRAM_H
#define NNET3_TOOLS_PROGRAM_H

#include "nnet3/Kaldi/Tables/Tables.h"
#include "nnet3/Tools/OptionParser.h"

#include "llvm/ADT/Twine.h"

namespace mlir::nnet3 {

/// The command line of a program; a program adds its own options.
class ProgramOptions {
public:
  virtual ~ProgramOptions() = default;

  bool printArgs = true;
  bool allowScpPipes = false;
  int32_t verbose = 0;

  /// Registers all options with `parser`, which must not outlive this.
  virtual void registerOptions(OptionParser &parser);

  /// Takes the positional arguments and checks that everything fits together.
  virtual llvm::Error finish(llvm::ArrayRef<std::string> positional) = 0;

  /// How tables are read and written; warnings go to the standard error.
  ::nnet3::kaldi::TableOptions getTableOptions() const;
};

/// Parses the command line into `options` and calls `run`, which returns the
/// exit status. Returns the exit status of the program.
int runProgram(const char *usage, int argc, char **argv,
               ProgramOptions &options, llvm::function_ref<int()> run);

/// Likewise; `run` returns what went wrong.
int runProgram(const char *usage, int argc, char **argv,
               ProgramOptions &options, llvm::function_ref<llvm::Error()> run);

/// `value` of `option` must be one of `values`.
llvm::Error expectOneOf(llvm::StringRef option, llvm::StringRef value,
                        llvm::ArrayRef<llvm::StringRef> values);

/// `value` of `option` must be at least `least`.
llvm::Error expectAtLeast(llvm::StringRef option, double least, double value);
llvm::Error expectAtMost(llvm::StringRef option, double most, double value);

/// From now on the functions below print nothing.
void silenceLog();

/// Prints `message` as a line of Kaldi's log, to the standard error.
void printLog(llvm::StringRef program, const llvm::Twine &message);
void printWarning(llvm::StringRef program, const llvm::Twine &message);

/// A number with as many significant digits, as C++ streams print it.
std::string showNumber(double value, int32_t digits = 6);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_PROGRAM_H
