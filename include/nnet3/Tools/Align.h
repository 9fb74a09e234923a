//===- Align.h - The program for aligners -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_ALIGN_H
#define NNET3_TOOLS_ALIGN_H

namespace mlir::nnet3 {

/// The main function of nnet3-align-loglikes.
int alignLoglikesMain(int argc, char **argv);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_ALIGN_H
