//===- PrintedForm.h - Kaldi's printed form ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints requests and computations in the form of Kaldi's programs (spec:
// formats.md 9.3), for comparison with their output.
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_TARGET_REPORT_PRINTEDFORM_H
#define NNET3_TARGET_REPORT_PRINTEDFORM_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"

namespace mlir::nnet3 {

/// Shortens `text` to its first and last 100 characters if it has more than
/// 200.
std::string shortenPrinted(std::string text);

/// Prints indexes as `[(0,-1:3), (1,5), (0,2:4,1)]`: a range denotes rows of
/// consecutive t with equal n and x; an x of 0 is omitted. Shortens the text.
std::string printIndexes(llvm::ArrayRef<Index> indexes);

/// Prints integers as `[0:9, -1x3, 5, 7]`, with three or more consecutive
/// numbers as a range, and three or more equal ones with their count.
std::string printIntegers(llvm::ArrayRef<int64_t> values);

/// Prints a line for each input and output, and two lines for the flags.
void printRequest(RequestOp request, llvm::raw_ostream &os);

/// Prints the matrices, their debug information if present, and a line for each
/// command. Emits an error for a command that Kaldi does not have.
llvm::LogicalResult printComputation(ComputationOp computation,
                                     llvm::raw_ostream &os);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_REPORT_PRINTEDFORM_H
