//===- Program.cpp - The frame of Kaldi's programs ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/Common/Program.h"
#include "nnet3/Execution/TerminalLine.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Tools/Common/CommandLine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::nnet3;
using llvm::Error;
using llvm::StringRef;
using llvm::Twine;

void ProgramOptions::registerOptions(OptionParser &parser) {
  parser.add("print-args", &printArgs, "Print the command line to stderr");
  parser.add("verbose", &verbose, "Print more the higher it is");
  parser.add("allow-scp-pipes", &allowScpPipes,
             "Run the commands that scp files name as inputs");
}

::nnet3::kaldi::TableOptions ProgramOptions::getTableOptions() const {
  ::nnet3::kaldi::TableOptions result;
  result.allowScpPipes = allowScpPipes;
  result.warn = [](StringRef message) {
    llvm::errs() << (message + "\n").str();
  };
  return result;
}

static int fail(Error error) {
  llvm::errs() << llvm::toString(std::move(error)) + "\n";
  return 1;
}

int mlir::nnet3::runProgram(const char *usage, int argc, char **argv,
                            ProgramOptions &options,
                            llvm::function_ref<int()> run) {
  OptionParser parser(usage);
  options.registerOptions(parser);
  auto positional = parser.parse(llvm::ArrayRef(argv + 1, argc - 1));
  if (!positional)
    return fail(positional.takeError());
  if (parser.wantsText())
    return parser.printText();
  if (options.printArgs)
    printArguments(llvm::ArrayRef(argv, argc));
  if (positional->empty()) {
    parser.printHelp(llvm::errs());
    return 1;
  }
  if (Error error = options.finish(*positional))
    return fail(std::move(error));
  return run();
}

int mlir::nnet3::runProgram(const char *usage, int argc, char **argv,
                            ProgramOptions &options,
                            llvm::function_ref<Error()> run) {
  return runProgram(usage, argc, argv, options, [&]() -> int {
    if (Error error = run())
      return fail(std::move(error));
    return 0;
  });
}

Error mlir::nnet3::expectOneOf(StringRef option, StringRef value,
                               llvm::ArrayRef<StringRef> values) {
  if (llvm::is_contained(values, value))
    return Error::success();
  return optionError("option '--" + option + "' expects " +
                     llvm::join(values, ", ") + ", but got " +
                     ::nnet3::kaldi::quoteForMessage(value));
}

Error mlir::nnet3::expectAtLeast(StringRef option, double least, double value) {
  if (value >= least)
    return Error::success();
  return optionError("option '--" + option + "' expects at least " +
                     showNumber(least) + ", but got " + showNumber(value));
}

Error mlir::nnet3::expectAtMost(StringRef option, double most, double value) {
  if (value <= most)
    return Error::success();
  return optionError("option '--" + option + "' expects at most " +
                     showNumber(most) + ", but got " + showNumber(value));
}

static bool isLogSilent = false;

void mlir::nnet3::silenceLog() { isLogSilent = true; }

static void print(StringRef kind, StringRef program, const Twine &message) {
  if (isLogSilent)
    return;
  showOnTerminal("");
  llvm::errs() << kind << " (" << program << "[" NNET3_VERSION "]) " << message
               << "\n";
}

void mlir::nnet3::printLog(StringRef program, const Twine &message) {
  print("LOG", program, message);
}

void mlir::nnet3::printWarning(StringRef program, const Twine &message) {
  print("WARNING", program, message);
}

std::string mlir::nnet3::showNumber(double value, int32_t digits) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.*g", digits, value);
  return text;
}
