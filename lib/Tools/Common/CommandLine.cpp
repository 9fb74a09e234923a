//===- CommandLine.cpp - Common parts of command lines --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/Common/CommandLine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>

using namespace mlir::nnet3;
using llvm::StringRef;
namespace cl = llvm::cl;

void mlir::nnet3::printVersion(llvm::raw_ostream &os) {
  os << "nnet3-mlir " NNET3_VERSION ", LLVM " LLVM_VERSION_STRING "\n";
}

/// Returns which of the signals that end a program are ignored.
static llvm::SmallVector<int> findIgnoredSignals() {
  llvm::SmallVector<int> ignored;
  for (int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR2}) {
    struct sigaction action;
    if (sigaction(signal, nullptr, &action) == 0 &&
        action.sa_handler == SIG_IGN)
      ignored.push_back(signal);
  }
  return ignored;
}

void mlir::nnet3::prepareSignals(StringRef tool) {
  // InitLLVM may have registered handlers already.
  llvm::sys::unregisterHandlers();
  const llvm::SmallVector<int> ignored = findIgnoredSignals();
  // LLVM registers its handlers once, among them one for SIGXFSZ.
  llvm::sys::PrintStackTraceOnErrorSignal(tool);
  std::signal(SIGXFSZ, SIG_IGN);
  for (int signal : ignored)
    std::signal(signal, SIG_IGN);
}

/// Options of llvm::cl itself.
static bool isGeneric(StringRef name) {
  return llvm::is_contained({"help", "h", "help-hidden", "help-list",
                             "help-list-hidden", "version", "color"},
                            name);
}

void mlir::nnet3::prepareCommandLine() {
  cl::SetVersionPrinter(printVersion);
  for (auto &[name, option] : cl::getRegisteredOptions())
    if (!isGeneric(name) && option->getOptionHiddenFlag() == cl::NotHidden)
      option->setHiddenFlag(cl::Hidden);
}

/// Returns true for options on input and output of nnet3-opt, which MLIR
/// registers.
static bool isAboutFiles(StringRef name) {
  return llvm::is_contained(
      {"o", "allow-unregistered-dialect", "emit-bytecode", "list-passes",
       "output-split-marker", "show-dialects", "split-input-file",
       "verify-diagnostics", "verify-each", "verify-roundtrip"},
      name);
}

void mlir::nnet3::groupOptOptions() {
  static cl::OptionCategory files("Options of nnet3-opt");
  static cl::OptionCategory passes("Passes of nnet3-opt");
  static cl::OptionCategory mlir("Options of MLIR");
  for (auto &[name, option] : cl::getRegisteredOptions()) {
    if (option->getOptionHiddenFlag() != cl::NotHidden || isGeneric(name))
      continue;
    // All passes are values of a single option without a name.
    bool isPass = option->ArgStr.empty() || name == "pass-pipeline";
    bool isOwn = isAboutFiles(name) || name == "debug-only" ||
                 name.starts_with("nnet3-");
    cl::OptionCategory &group = isPass ? passes : isOwn ? files : mlir;
    option->Categories.assign({&group});
  }
}

void mlir::nnet3::printArguments(llvm::ArrayRef<char *> arguments) {
  for (StringRef argument : arguments) {
    bool plain = !argument.empty() && llvm::all_of(argument, [](char c) {
      return llvm::isAlnum(c) || StringRef("-_=./:,+@%^").contains(c);
    });
    if (plain) {
      llvm::errs() << argument << " ";
      continue;
    }
    llvm::errs() << "'";
    for (char c : argument)
      llvm::errs() << (c == '\'' ? "'\\''" : StringRef(&c, 1));
    llvm::errs() << "' ";
  }
  llvm::errs() << "\n";
}
