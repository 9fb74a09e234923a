//===- TerminalLine.h - A line about progress -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_PIPELINES_TERMINALLINE_H
#define LIB_PIPELINES_TERMINALLINE_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::nnet3 {

/// Shows `text` in place of the line about progress, if standard error is a
/// terminal.
inline void showOnTerminal(const llvm::Twine &text) {
  if (llvm::sys::Process::StandardErrIsDisplayed())
    llvm::errs() << ("\r\033[K" + text).str();
}

} // namespace mlir::nnet3

#endif // LIB_PIPELINES_TERMINALLINE_H
