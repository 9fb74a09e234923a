//===- KaldiLog.cpp - Lines that Kaldi's scripts read ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KaldiLog.h"
#include "nnet3/Execution/TerminalLine.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
namespace rt = ::nnet3::rt;

void mlir::nnet3::printLog(llvm::StringRef program,
                           const llvm::Twine &message) {
  showOnTerminal("");
  llvm::errs() << "LOG (" << program << "[" NNET3_VERSION "]) " << message
               << "\n";
}

std::string mlir::nnet3::showNumber(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.6g", value);
  return text;
}

std::string mlir::nnet3::showAverage(const rt::OutputObjective &sum) {
  const auto &[value, weight] = sum.objective;
  std::string text = showNumber(value / weight);
  if (sum.auxiliary != 0)
    text += " + " + showNumber(sum.auxiliary / weight) + " = " +
            showNumber((value + sum.auxiliary) / weight);
  return text;
}

void mlir::nnet3::addTo(rt::OutputObjective &sum,
                        const rt::OutputObjective &output) {
  sum.objective.value += output.objective.value;
  sum.objective.weight += output.objective.weight;
  sum.auxiliary += output.auxiliary;
}
