//===- TerminalLine.h - A progress line -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_EXECUTION_TERMINALLINE_H
#define NNET3_EXECUTION_TERMINALLINE_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::nnet3 {

/// Replaces the current line on standard error by `text`, if it is a terminal.
inline void showOnTerminal(const llvm::Twine &text) {
  if (llvm::sys::Process::StandardErrIsDisplayed())
    llvm::errs() << ("\r\033[K" + text).str();
}

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_TERMINALLINE_H
