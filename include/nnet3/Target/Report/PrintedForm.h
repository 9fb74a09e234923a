//===- PrintedForm.h - Kaldi's printed form ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Kaldi's programs print of requests and computations (spec: formats.md
// 9.3), to be read next to theirs.
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_TARGET_REPORT_PRINTEDFORM_H
#define NNET3_TARGET_REPORT_PRINTEDFORM_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"

namespace mlir::nnet3 {

/// `text`, or if it has more than 200 characters its first and last 100.
std::string shortenPrinted(std::string text);

/// `[(0,-1:3), (1,5), (0,2:4,1)]`: a range is rows of neighbouring t with the
/// same n and x, which is left out where it is 0. Shortened.
std::string printIndexes(llvm::ArrayRef<Index> indexes);

/// `[0:9, -1x3, 5, 7]`: neighbouring numbers, and equal ones with how often
/// they come; both from three on.
std::string printIntegers(llvm::ArrayRef<int64_t> values);

/// A line for each input and output, and two for what is wanted besides.
void printRequest(RequestOp request, llvm::raw_ostream &os);

/// The matrices, what they hold if that is known, and a line for each command.
/// Reports an error for a command that Kaldi does not have.
llvm::LogicalResult printComputation(ComputationOp computation,
                                     llvm::raw_ostream &os);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_REPORT_PRINTEDFORM_H
