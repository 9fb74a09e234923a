//===- Prune.h - The program that prunes models -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_PRUNE_H
#define NNET3_TOOLS_PRUNE_H

namespace mlir::nnet3 {

/// The main function of nnet3-prune.
int pruneMain(int argc, char **argv);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_PRUNE_H
