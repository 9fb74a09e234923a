//===- KaldiLog.h - Lines that Kaldi's scripts read -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_TRAIN_KALDILOG_H
#define LIB_TOOLS_TRAIN_KALDILOG_H

#include "nnet3/runtime/OutputSupervisor.h"
#include "llvm/ADT/Twine.h"

namespace mlir::nnet3 {

/// Prints `message` as a line of Kaldi's log, to the standard error.
void printLog(llvm::StringRef program, const llvm::Twine &message);

/// Six digits, as C++ streams print.
std::string showNumber(double value);

/// The average of a sum of objectives: "X", or with what is maximised beside it
/// "X + Y = Z".
std::string showAverage(const ::nnet3::rt::OutputObjective &sum);

/// Adds all but the name.
void addTo(::nnet3::rt::OutputObjective &sum,
           const ::nnet3::rt::OutputObjective &output);

} // namespace mlir::nnet3

#endif // LIB_TOOLS_TRAIN_KALDILOG_H
