//===- Copy.h - The program that copies Kaldi's files -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_COPY_H
#define NNET3_TOOLS_COPY_H

namespace mlir::nnet3 {

/// The main function of nnet3-copy.
int copyMain(int argc, char **argv);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_COPY_H
