//===- Diff.h - The program that compares models ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_DIFF_H
#define NNET3_TOOLS_DIFF_H

namespace mlir::nnet3 {

/// The main function of nnet3-diff.
int diffMain(int argc, char **argv);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_DIFF_H
